import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectFleet, type FleetConnection } from "../../src/fleet/transport/connection.ts";
import { ensureLayout } from "../../src/fleet/transport/ensure-layout.ts";
import { encodeFitting, entryOf } from "../../src/fleet/transport/large-entries.ts";
import { parseEvent } from "../../src/fleet/transport/log-event.ts";
import { LogWriter } from "../../src/fleet/transport/log-writer.ts";
import { fetchObject, putObject } from "../../src/fleet/transport/objects.ts";
import { carefulGit } from "../../src/fleet/workspace/git.ts";
import { packWorkspace } from "../../src/fleet/workspace/pack-workspace.ts";
import { bundleBytesMax } from "../../src/fleet/limits.ts";
import { logEventBytesMax } from "../../src/fleet/server/limits.ts";
import { tempDir } from "../support/index.ts";
import { natsServerForTests, startTestServers, type TestServers } from "../support/nats-servers.ts";

const file = await natsServerForTests();

describe.skipIf(file === undefined)("objects", () => {
  let servers: TestServers;
  beforeAll(async () => {
    servers = await startTestServers({ file: file!, dir: tempDir() });
    await using connection = await connectFleet(servers.address(), { name: "test" });
    await ensureLayout(connection, {});
  });
  afterAll(() => servers.stop());
  const connect = (): Promise<FleetConnection> => connectFleet(servers.address(), { name: "test" });

  test("come back as they were stored, also over many chunks, and are stored once", async () => {
    await using connection = await connect();
    for (const bytes of [randomBytes(0), randomBytes(100), randomBytes(20 * 512 * 1024 + 7)]) {
      const stored = await putObject(connection, "session", bytes);
      const before = (await connection.jsm.streams.info("OBJ_bundles")).state.messages;
      expect(await putObject(connection, "session", bytes)).toEqual(stored);
      expect((await connection.jsm.streams.info("OBJ_bundles")).state.messages).toBe(before);
      const target = path.join(tempDir(), "object");
      await fetchObject(connection, stored, { file: target });
      expect(fs.readFileSync(target).equals(bytes)).toBe(true);
    }
  });

  test("are refused when they are not what they say, too large, or gone", async () => {
    await using connection = await connect();
    const stored = await putObject(connection, "session", randomBytes(1000));
    const refused = { code: "bundle_refused" };
    const fetch = (object: object): Promise<void> =>
      fetchObject(connection, { ...stored, ...object }, { file: path.join(tempDir(), "object") });
    await expect(fetch({ bytes: 999 })).rejects.toMatchObject(refused);
    await expect(fetch({ bytes: bundleBytesMax + 1 })).rejects.toMatchObject(refused);
    await expect(fetch({ object: "../../etc/passwd" })).rejects.toMatchObject(refused);
    await expect(fetch({ object: `session/${"0".repeat(64)}` })).rejects.toMatchObject(refused);
  });

  test("hold the lines that are too large for a message", async () => {
    await using connection = await connect();
    const entry = { type: "user", sessionId: "large", text: "x".repeat(logEventBytesMax + 1) };
    const data = await encodeFitting(connection, { kind: "entry", entry });
    const writer = new LogWriter(connection, { place: { shard: 0, sessionId: "large" }, epoch: 1, last: 0 });
    await writer.append(data);
    const event = parseEvent(data)!;
    expect(event.kind).toBe("large-entry");
    expect(await entryOf(connection, event)).toEqual(entry);
  });

  test("a folder that is too large is refused before anything is read", async () => {
    const cwd = tempDir();
    const fd = fs.openSync(path.join(cwd, "large.bin"), "w");
    // A hole: it has the size, and takes no room.
    fs.ftruncateSync(fd, bundleBytesMax + 1);
    fs.closeSync(fd);
    const options = { cwd, tempDir: tempDir(), links: false, onRefused: "throw" } as const;
    await expect(packWorkspace(carefulGit(process.env), options)).rejects.toMatchObject({
      code: "bundle_refused",
      message: expect.stringContaining('"large.bin" among them') as string,
    });
  });
});
