import { expect, test } from "vitest";
import { describeKillLoop, runKillLoop } from "./kill-loop.ts";

const ROUNDS = 40;

test(`append() loses nothing acknowledged when its process is killed ${ROUNDS} times`, async () => {
  const seed = Date.now() % 1_000_000_000;
  const result = await runKillLoop({ rounds: ROUNDS, seed });
  process.stdout.write(`kill loop, seed ${seed}: ${describeKillLoop(result)}\n`);
  expect(result.failed).toEqual([]);
  // Else the kills came too early to prove anything.
  expect(result.acknowledged).toBeGreaterThan(ROUNDS);
  expect(result.takenOver).toBeGreaterThan(ROUNDS / 2);
});
