import { expect, test } from "vitest";
import { describeNewsKillLoop, runNewsKillLoop } from "./news-kill-loop.ts";

const ROUNDS = 2;

test(`an ending is told when its readers are killed, ${ROUNDS} rounds of readers`, async () => {
  const seed = Date.now() % 1_000_000_000;
  const result = await runNewsKillLoop({ rounds: ROUNDS, seed });
  process.stdout.write(`news kill loop, seed ${seed}: ${describeNewsKillLoop(result)}\n`);
  expect(result.failed).toEqual([]);
  // Else the kills came too late to prove anything.
  expect(result.killedHolding).toBeGreaterThan(0);
}, 180_000);
