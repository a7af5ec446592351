import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectFleet, type FleetConnection } from "../../src/fleet/transport/connection.ts";
import { checkLayout, ensureLayout } from "../../src/fleet/transport/ensure-layout.ts";
import { followMessages } from "../../src/fleet/transport/follow-messages.ts";
import { readLast, readMessages } from "../../src/fleet/transport/log-reader.ts";
import { LogWriter } from "../../src/fleet/transport/log-writer.ts";
import { logStream, logSubject } from "../../src/fleet/transport/names.ts";
import { tempDir, waitFor } from "../support/index.ts";
import { natsServerForTests, startTestServers, type TestServers } from "../support/nats-servers.ts";

const file = await natsServerForTests();

describe.skipIf(file === undefined)("the log of a session", () => {
  let servers: TestServers;
  beforeAll(async () => {
    servers = await startTestServers({ file: file!, dir: tempDir() });
    await using connection = await connectFleet(servers.address(), { name: "test" });
    await ensureLayout(connection, {});
  });
  afterAll(() => servers.stop());

  const connect = (): Promise<FleetConnection> => connectFleet(servers.address(), { name: "test" });
  let sessions = 0;
  const newPlace = () => ({ shard: 0, sessionId: `s${++sessions}` });
  const bytes = (text: string | number): Uint8Array => Buffer.from(String(text));
  const text = (data: Uint8Array): string => Buffer.from(data).toString();

  test("ensureLayout() changes nothing the second time, and mends what was changed", async () => {
    await using connection = await connect();
    const states = async () => (await ensureLayout(connection, {})).map(({ state }) => state);
    expect(new Set(await states())).toEqual(new Set(["there"]));
    await connection.jsm.streams.update("RUNS", { max_msgs: 5 });
    const find = async () => (await checkLayout(connection, {})).filter(({ state }) => state !== "there");
    expect(await find()).toEqual([{ name: "RUNS", state: "different", settings: ["max_msgs"] }]);
    await ensureLayout(connection, {});
    expect(await find()).toEqual([]);
  });

  test("append() keeps the order, and readMessages() gives it back over many batches", async () => {
    await using connection = await connect();
    const place = newPlace();
    const writer = new LogWriter(connection, { place, epoch: 1, last: 0 });
    const appended = await Promise.all(Array.from({ length: 600 }, (_, at) => writer.append(bytes(at))));
    expect(appended).toEqual(appended.toSorted((a, b) => a - b));
    const read: string[] = [];
    const from = { stream: logStream(0), subject: logSubject(place), from: 1 };
    for await (const { data } of readMessages(connection, from)) read.push(text(data));
    expect(read).toEqual(Array.from({ length: 600 }, (_, at) => String(at)));
  });

  test("append() is refused for ever once somebody else has written", async () => {
    await using connection = await connect();
    const place = newPlace();
    const old = new LogWriter(connection, { place, epoch: 1, last: 0 });
    await old.append(bytes("a"));
    const next = new LogWriter(connection, { place, epoch: 2, last: old.last });
    await next.append(bytes("b"));
    await expect(old.append(bytes("c"))).rejects.toMatchObject({ code: "fleet_fenced" });
    await expect(old.append(bytes("d"))).rejects.toMatchObject({ code: "fleet_fenced" });
    await expect(old.confirm()).rejects.toMatchObject({ code: "fleet_fenced" });
    await next.confirm();
    const last = await readLast(connection, { stream: logStream(0), subject: logSubject(place) });
    expect(text(last!.data)).toBe("b");
  });

  test("append() that had landed is not written again when its answer was lost", async () => {
    await using connection = await connect();
    const place = newPlace();
    const first = new LogWriter(connection, { place, epoch: 7, last: 0 });
    await first.append(bytes("once"));
    // The same claim, whose first answer never came: same id, same expectation.
    const again = new LogWriter(connection, { place, epoch: 7, last: 0 });
    expect(await again.append(bytes("once"))).toBe(first.last);
    const all: string[] = [];
    const from = { stream: logStream(0), subject: logSubject(place), from: 1 };
    for await (const { data } of readMessages(connection, from)) all.push(text(data));
    expect(all).toEqual(["once"]);
  });

  test("followMessages() gives what was there and what comes, once and in order", async () => {
    await using connection = await connect();
    const place = newPlace();
    const writer = new LogWriter(connection, { place, epoch: 1, last: 0 });
    for (let at = 0; at < 5; at++) await writer.append(bytes(at));
    const seen: string[] = [];
    const stop = new AbortController();
    const following = (async () => {
      const options = { stream: logStream(0), subject: logSubject(place), after: 0, signal: stop.signal };
      for await (const { data } of followMessages(connection, options)) seen.push(text(data));
    })();
    await waitFor(() => seen.length === 5);
    for (let at = 5; at < 300; at++) await writer.append(bytes(at));
    await waitFor(() => seen.length >= 300);
    stop.abort();
    await following;
    expect(seen).toEqual(Array.from({ length: 300 }, (_, at) => String(at)));
  });
});
