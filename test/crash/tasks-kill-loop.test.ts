import { expect, test } from "vitest";
import { isWithoutProc } from "../support/other-machine.ts";
import { describeTaskKillLoop, runTaskKillLoop } from "./tasks-kill-loop.ts";

const ROUNDS = 6;
// Without /proc each look at a process takes a process.
const TASKS = isWithoutProc ? 12 : 30;
const TIMEOUT_MS = isWithoutProc ? 240_000 : 60_000;

test(
  `tasks have a true ending and one notice when their launcher is killed, ${ROUNDS} times with ${TASKS} tasks`,
  async () => {
    const seed = Date.now() % 1_000_000_000;
    const result = await runTaskKillLoop({ rounds: ROUNDS, tasks: TASKS, seed });
    process.stdout.write(`task kill loop, seed ${seed}: ${describeTaskKillLoop(result)}\n`);
    expect(result.failed).toEqual([]);
    // Else the kills came too early to prove anything.
    expect(result.acknowledged).toBeGreaterThan(TASKS);
  },
  TIMEOUT_MS,
);
