import { describe, expect, test } from "vitest";
import { connectFleet, type FleetConnection } from "../../src/fleet/connection.ts";
import { logStream } from "../../src/fleet/names.ts";
import { untilServed } from "../../src/fleet/retry.ts";
import { tempDir, waitFor } from "../support/index.ts";
import { natsServerForTests, startTestFleet, type TestNode } from "../support/nats-servers.ts";
import { startLogLoad } from "./log-load.ts";

const file = await natsServerForTests();

async function leaderOf({ jsm }: FleetConnection, nodes: readonly TestNode[]): Promise<TestNode> {
  const name = await waitFor(async () => {
    const { cluster } = await untilServed(() => jsm.streams.info(logStream(0)));
    return cluster?.leader;
  });
  return nodes.find((node) => node.name === name)!;
}

describe.skipIf(file === undefined)("a cluster of three nodes", () => {
  test("loses nothing that was acknowledged when its leader is killed, and goes on without it", async () => {
    await using fleet = await startTestFleet({ file: file!, dir: tempDir(), nodes: 3 });
    const { servers, connection } = fleet;
    await using writing = await connectFleet(servers.address(), { name: "writers" });
    await using watching = await connectFleet(servers.address(), { name: "watchers" });
    const load = startLogLoad({ writing, watching }, { sessions: 10, watchers: 2, pauseMs: 50 });
    await waitFor(() => load.appended > 100);
    const leader = await leaderOf(connection, servers.nodes);
    load.resetTimes();
    await leader.end("SIGKILL");
    const before = load.appended;
    await waitFor(() => load.appended > before + 100, { timeoutMs: 60_000 });
    const silenceMs = load.longestSilenceMs();
    await leader.start();
    await leader.waitUntilWell();
    const after = load.appended;
    await waitFor(() => load.appended > after + 50, { timeoutMs: 60_000 });
    const { problems } = await load.finish();
    expect(problems).toEqual([]);
    // An election takes some seconds; on a machine that is busy with other tests, more. The soak has the true limit.
    expect(silenceMs).toBeLessThan(40_000);
  }, 120_000);
});
