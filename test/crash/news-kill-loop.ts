import { inTaskFolder } from "./in-task-folder.ts";
import { newsKillRound, type NewsKillRound } from "./news-kill-round.ts";

export interface NewsKillLoopResult {
  rounds: number;
  killed: number;
  told: number;
  repeated: number;
  failed: NewsKillRound[];
}

export interface NewsKillLoopOptions {
  rounds: number;
  /** The nth round has this seed plus n, so that one round can be run again alone. */
  seed: number;
  onRound?: (round: NewsKillRound) => void;
}

/** Kills readers between take and confirm, again and again, and adds up what was found. */
export async function runNewsKillLoop(options: NewsKillLoopOptions): Promise<NewsKillLoopResult> {
  const { rounds, seed, onRound } = options;
  const result: NewsKillLoopResult = { rounds, killed: 0, told: 0, repeated: 0, failed: [] };
  for (let round = 0; round < rounds; round++) {
    const done = await inTaskFolder((dir) => newsKillRound(dir, seed + round));
    result.killed += done.killed;
    result.told += done.told;
    result.repeated += done.repeated;
    if (done.problems.length > 0) result.failed.push(done);
    onRound?.(done);
  }
  return result;
}

/** One line for people: what was done and what came of it. */
export function describeNewsKillLoop({ killed, told, repeated, failed }: NewsKillLoopResult): string {
  return (
    `${killed} readers killed between take and confirm: ${told} endings told, none lost, ${repeated} of them again after a kill ` +
    `between delivery and confirmation, and said so; ${failed.length} rounds failed`
  );
}
