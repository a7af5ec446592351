import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { findSessionState } from "../../src/fleet/session-states.ts";
import { startProgram, tempDir, waitFor, type Program } from "../support/index.ts";
import { natsServerForTests, startTestFleet } from "../support/nats-servers.ts";
import { countEnded, dispatchCounting, problemsOf } from "./count-runs.ts";

const file = await natsServerForTests();
const LONG = { timeoutMs: 60_000 };

describe.skipIf(file === undefined)("runWorker()", () => {
  test("runs what is dispatched, and a run whose worker is killed goes on elsewhere, once", async () => {
    const leaseMs = 2000;
    await using fleet = await startTestFleet({ file: file!, dir: tempDir(), shape: { leaseMs } });
    const { connection, servers } = fleet;
    const effects = tempDir();
    const numbers = 20;
    const start = (): Program =>
      startProgram("counting-worker", [servers.nodes[0]!.url, String(numbers), effects, "4", "20"]);
    const first = start();
    const ids = await dispatchCounting(connection, 4);
    await waitFor(() => ids.every((id) => fs.existsSync(`${effects}/${id}`)), LONG);
    first.kill("SIGKILL");
    const killedAt = performance.now();
    const second = start();
    try {
      await waitFor(async () => (await countEnded(connection, ids)) === ids.length, LONG);
      const tookMs = performance.now() - killedAt;
      expect(tookMs).toBeLessThan(leaseMs + 5000 + numbers * 200);
      const problems = await Promise.all(
        ids.map((sessionId) => problemsOf(connection, { sessionId, numbers, dir: effects })),
      );
      expect(problems.flat()).toEqual([]);
      const states = await Promise.all(ids.map((id) => findSessionState(connection, id)));
      expect(states.map((kept) => kept?.state.handOvers)).toEqual(ids.map(() => 1));
    } finally {
      second.kill("SIGTERM");
      await second.ended();
    }
  });
});
