import { expect, test } from "vitest";
import { describeAgentKillLoop, runAgentKillLoop } from "./agents-kill-loop.ts";

const ROUNDS = 5;

test(
  `agents lose no message and run no recorded tool twice when their hosts are killed, ${ROUNDS} agents`,
  { timeout: 300_000 },
  async () => {
    const seed = Date.now() % 1_000_000_000;
    const result = await runAgentKillLoop({ rounds: ROUNDS, seed });
    process.stdout.write(`agent kill loop, seed ${seed}: ${describeAgentKillLoop(result)}\n`);
    expect(result.failed).toEqual([]);
    // Else the kills came too early to prove anything.
    expect(result.kills).toBeGreaterThan(0);
  },
);
