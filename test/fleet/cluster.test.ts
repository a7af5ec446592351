import { describe, expect, test } from "vitest";
import { connectFleet, type FleetConnection } from "../../src/fleet/transport/connection.ts";
import { logStream } from "../../src/fleet/transport/names.ts";
import { untilServed } from "../../src/fleet/transport/retry.ts";
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

// The gate of the soak: an election takes four to eight seconds. When both nodes that are left ask for votes in the same
// moment, nobody wins and it is held once more, which on a busy machine happens now and then; twice in a row it does not. So
// of two kills one keeps the gate and none takes longer than two elections.
const SILENCE_MS_MAX = 12_000;

describe.skipIf(file === undefined)("a cluster of three nodes", () => {
  test("loses nothing that was acknowledged when its leader is killed, twice, and goes on without it", async () => {
    await using fleet = await startTestFleet({ file: file!, dir: tempDir(), nodes: 3 });
    const { servers, connection } = fleet;
    await using writing = await connectFleet(servers.address(), { name: "writers" });
    await using watching = await connectFleet(servers.address(), { name: "watchers" });
    const load = startLogLoad({ writing, watching }, { sessions: 10, watchers: 2, pauseMs: 50 });
    const more = async (count: number): Promise<void> => {
      const before = load.appended;
      await waitFor(() => load.appended > before + count, { timeoutMs: 60_000 });
    };
    await more(100);
    const silencesMs: number[] = [];
    for (let kill = 0; kill < 2; kill++) {
      const leader = await leaderOf(connection, servers.nodes);
      load.resetTimes();
      await leader.end("SIGKILL");
      await more(100);
      silencesMs.push(load.longestSilenceMs());
      await leader.start();
      await leader.waitUntilWell();
      await more(50);
    }
    const { problems } = await load.finish();
    expect(problems).toEqual([]);
    expect(Math.min(...silencesMs)).toBeLessThan(SILENCE_MS_MAX);
    expect(Math.max(...silencesMs)).toBeLessThan(2 * SILENCE_MS_MAX);
  }, 180_000);
});
