import { execFileSync } from "node:child_process";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectFleet, type FleetConnection } from "../../src/fleet/transport/connection.ts";
import { sendControl } from "../../src/fleet/transport/controls.ts";
import { dispatchRun } from "../../src/fleet/transport/dispatch-run.ts";
import { ensureLayout } from "../../src/fleet/transport/ensure-layout.ts";
import { followMessages } from "../../src/fleet/transport/follow-messages.ts";
import { readMessages } from "../../src/fleet/transport/log-reader.ts";
import { LogWriter } from "../../src/fleet/transport/log-writer.ts";
import { logStream, logSubject } from "../../src/fleet/transport/names.ts";
import { putObject } from "../../src/fleet/transport/objects.ts";
import { ensureRoleKeys } from "../../src/fleet/server/role-keys.ts";
import type { Role } from "../../src/fleet/server/roles.ts";
import { listSessionStates } from "../../src/fleet/transport/session-states.ts";
import { runWorker } from "../../src/fleet/runs/worker.ts";
import { tempDir } from "../support/index.ts";
import { natsServerForTests, startTestServers, type TestServers } from "../support/nats-servers.ts";
import { countingRun } from "./count-runs.ts";

const file = await natsServerForTests();
const forbidden = { code: "fleet_forbidden" };
const place = { shard: 0, sessionId: "roles" };
const bytes = Buffer.from("{}");

describe.skipIf(file === undefined)("roles on a server with TLS", () => {
  let servers: TestServers;
  beforeAll(async () => {
    const dir = tempDir();
    servers = await startTestServers({ file: file!, dir, withKeys: true, tls: certificate(dir) });
    await using admin = await connectFleet(servers.address("admin"), { name: "test" });
    await ensureLayout(admin, {});
    await new LogWriter(admin, { place, epoch: 1, last: 0 }).append(bytes);
  });
  afterAll(() => servers.stop());

  const connect = (role: Role): Promise<FleetConnection> =>
    connectFleet(servers.address(role), { name: "test" });

  test("a wrong key, and none, are refused in words", async () => {
    const address = servers.address("worker");
    const other = ensureRoleKeys(path.join(tempDir(), "keys")).worker.file;
    for (const [keyFile, words] of [
      [other, "it refuses these credentials"],
      [undefined, "no key is given; name one in HOLDFAST_NATS_KEYS"],
    ]) {
      const message = expect.stringContaining(words!) as string;
      await expect(connectFleet({ ...address, keyFile }, { name: "test" })).rejects.toMatchObject({
        ...forbidden,
        message,
      });
    }
  });

  test("a server that is not the one whose certificate is believed is refused", async () => {
    const { caFile: other } = certificate(tempDir());
    for (const [caFile, words] of [
      [other, "did not sign its certificate"],
      [undefined, "name who signed its certificate in HOLDFAST_NATS_CA"],
    ])
      await expect(
        connectFleet({ ...servers.address("worker"), caFile }, { name: "test", timeoutMs: 1000 }),
      ).rejects.toMatchObject({
        code: "fleet_unreachable",
        message: expect.stringContaining(words!) as string,
      });
  });

  test("a dispatcher dispatches, controls and sends workspaces, but cannot write a log or take a run", async () => {
    await using connection = await connect("dispatcher");
    const { sessionId } = await dispatchRun(connection, countingRun());
    await sendControl(connection, { sessionId, run: 1 }, { kind: "stop", by: "test" });
    await putObject(connection, sessionId, bytes);
    const writer = new LogWriter(connection, { place: { shard: 0, sessionId }, epoch: 1, last: 0 });
    await expect(writer.append(bytes)).rejects.toMatchObject(forbidden);
    await expect(work(connection)).rejects.toMatchObject(forbidden);
  });

  test("a worker can neither dispatch nor control nor empty nor delete a log", async () => {
    await using connection = await connect("worker");
    await expect(dispatchRun(connection, countingRun())).rejects.toMatchObject(forbidden);
    const run = { sessionId: "x", run: 1 };
    await expect(sendControl(connection, run, { kind: "stop", by: "x" })).rejects.toMatchObject(forbidden);
    const { streams } = connection.jsm;
    await expect(streams.purge(logStream(0))).rejects.toThrow(/permission/i);
    await expect(streams.delete(logStream(0))).rejects.toThrow(/permission/i);
  });

  test("a watcher reads and follows, but can neither append nor dispatch nor take a run", async () => {
    await using connection = await connect("watcher");
    const log = { stream: logStream(0), subject: logSubject(place) };
    const read: number[] = [];
    for await (const { sequence } of readMessages(connection, { ...log, from: 1 })) read.push(sequence);
    expect(read).toHaveLength(1);
    const stop = new AbortController();
    for await (const _ of followMessages(connection, { ...log, after: 0, signal: stop.signal })) stop.abort();
    for await (const state of listSessionStates(connection)) expect(state.schemaVersion).toBe(1);
    const writer = new LogWriter(connection, { place, epoch: 2, last: read[0]! });
    await expect(writer.append(bytes)).rejects.toMatchObject(forbidden);
    await expect(dispatchRun(connection, countingRun())).rejects.toMatchObject(forbidden);
    await expect(work(connection)).rejects.toMatchObject(forbidden);
  });
});

function work(connection: FleetConnection): Promise<void> {
  const { signal } = new AbortController();
  return runWorker(connection, {
    host: "test",
    slots: 1,
    signal,
    runAgent: () => Promise.resolve(undefined),
  });
}

// A certificate of its own for 127.0.0.1, which is its own authority.
function certificate(dir: string): { certFile: string; keyFile: string; caFile: string } {
  const [keyFile, certFile] = [path.join(dir, "node.key"), path.join(dir, "node.crt")];
  const subject = ["-subj", "/CN=test", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", keyFile];
  execFileSync("openssl", ["req", "-x509", ...key, "-out", certFile, "-days", "2", ...subject], {
    stdio: "ignore",
  });
  return { certFile, keyFile, caFile: certFile };
}
