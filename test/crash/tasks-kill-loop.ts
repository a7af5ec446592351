import { startProgram } from "../support/start-program.ts";
import { waitFor } from "../support/wait-for.ts";
import { inTaskFolder } from "./in-task-folder.ts";
import { taskKillRound, type TaskKillRound } from "./tasks-kill-round.ts";

export interface TaskKillLoopResult {
  rounds: number;
  acknowledged: number;
  unacknowledged: number;
  lost: number;
  stopped: number;
  failed: TaskKillRound[];
}

export interface TaskKillLoopOptions {
  rounds: number;
  /** Tasks that each launcher is told to start. */
  tasks: number;
  /** The nth round has this seed plus n, so that one round can be run again alone. */
  seed: number;
  onRound?: (round: TaskKillRound) => void;
}

const CONSUMERS = 3;

/** Kills a launcher of tasks again and again, each time in a folder of its own, and adds up what was found. */
export async function runTaskKillLoop({
  rounds,
  tasks,
  seed,
  onRound,
}: TaskKillLoopOptions): Promise<TaskKillLoopResult> {
  const result: TaskKillLoopResult = {
    rounds,
    acknowledged: 0,
    unacknowledged: 0,
    lost: 0,
    stopped: 0,
    failed: [],
  };
  const consumers = Array.from({ length: CONSUMERS }, (_, n) =>
    startProgram("task-consumer", [`consumer ${n}`]),
  );
  try {
    await waitFor(() => consumers.every(({ lines }) => lines.length > 0));
    for (let round = 0; round < rounds; round++) {
      const done = await inTaskFolder((dir) => taskKillRound({ dir, seed: seed + round, tasks, consumers }));
      result.acknowledged += done.acknowledged;
      result.unacknowledged += done.unacknowledged;
      result.lost += done.lost;
      result.stopped += done.stopped;
      if (done.problems.length > 0) result.failed.push(done);
      onRound?.(done);
    }
  } finally {
    for (const consumer of consumers) consumer.kill();
    await Promise.all(consumers.map((consumer) => consumer.ended()));
  }
  return result;
}

/** One line for people: what was done and what came of it. */
export function describeTaskKillLoop(result: TaskKillLoopResult): string {
  const { rounds, acknowledged, unacknowledged, lost, stopped, failed } = result;
  return (
    `${rounds} launchers killed: ${acknowledged} acknowledged tasks ended truly and were told once, ${stopped} of all were stopped; ` +
    `${unacknowledged} more had not been acknowledged, ${lost} of them never ran; ${failed.length} rounds failed`
  );
}
