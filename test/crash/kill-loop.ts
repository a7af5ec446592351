import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { killRound, type KillRound } from "./kill-round.ts";

export interface KillLoopResult {
  rounds: number;
  acknowledged: number;
  unacknowledged: number;
  torn: number;
  /** Rounds in which the dead writer's lease had to be taken over. */
  takenOver: number;
  failed: KillRound[];
}

export interface KillLoopOptions {
  rounds: number;
  /** The nth round has this seed plus n, so that one round can be run again alone. */
  seed: number;
  /** Rounds that run at a time. */
  parallel?: number;
  onRound?: (round: KillRound) => void;
}

/** Kills a writer again and again, each time in a folder of its own, and adds up what was found. */
export async function runKillLoop({
  rounds,
  seed,
  parallel = 2,
  onRound,
}: KillLoopOptions): Promise<KillLoopResult> {
  const result: KillLoopResult = {
    rounds,
    acknowledged: 0,
    unacknowledged: 0,
    torn: 0,
    takenOver: 0,
    failed: [],
  };
  let started = 0;
  const add = (round: KillRound): void => {
    result.acknowledged += round.acknowledged;
    result.unacknowledged += round.unacknowledged;
    result.torn += round.torn;
    if (round.leftLease) result.takenOver += 1;
    if (round.problems.length > 0) result.failed.push(round);
    onRound?.(round);
  };
  const run = async (): Promise<void> => {
    for (let round = started++; round < rounds; round = started++) {
      add(await inNewFolder((dir) => killRound(dir, seed + round)));
    }
  };
  await Promise.all(Array.from({ length: parallel }, run));
  return result;
}

async function inNewFolder<T>(use: (dir: string) => Promise<T>): Promise<T> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-kill-"));
  try {
    return await use(dir);
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

/** One line for people: what was done and what came of it. */
export function describeKillLoop({
  rounds,
  acknowledged,
  unacknowledged,
  torn,
  takenOver,
  failed,
}: KillLoopResult): string {
  return (
    `${rounds} kills: ${acknowledged} acknowledged entries all there, ${unacknowledged} more written but not acknowledged, ` +
    `${torn} torn lines reported, ${takenOver} leases taken over, ${failed.length} rounds failed`
  );
}
