import { inTaskFolder } from "./in-task-folder.ts";
import { newsKillRound, type NewsKillRound } from "./news-kill-round.ts";

export interface NewsKillLoopResult {
  rounds: number;
  killed: number;
  killedHolding: number;
  lost: number;
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
  const result: NewsKillLoopResult = {
    rounds,
    killed: 0,
    killedHolding: 0,
    lost: 0,
    told: 0,
    repeated: 0,
    failed: [],
  };
  for (let round = 0; round < rounds; round++) {
    const done = await inTaskFolder((dir) => newsKillRound(dir, seed + round));
    result.killed += done.killed;
    result.killedHolding += done.killedHolding;
    result.lost += done.lost;
    result.told += done.told;
    result.repeated += done.repeated;
    if (done.problems.length > 0) result.failed.push(done);
    onRound?.(done);
  }
  return result;
}

/** One line for people: what was done and what came of it. */
export function describeNewsKillLoop(result: NewsKillLoopResult): string {
  const { killed, killedHolding, lost, told, repeated, failed } = result;
  return (
    `${killed} readers killed, ${killedHolding} of them between take and confirm: ${told} endings told, ${lost} lost, ` +
    `${repeated} told again; ${failed.length} rounds failed`
  );
}
