import fs from "node:fs";
import { endedTaskAgeMsMax, totalOutputBytesMax } from "../limits.ts";
import { holdfastPaths } from "../../format/paths.ts";
import type { Clock } from "../../lib/clock.ts";
import { readJson } from "../../lib/read-json.ts";
import { askEnded } from "../list/ask-ended.ts";
import { listTaskNames, outputBytes, taskFiles, type TaskFiles } from "../record/task-files.ts";
import { listProjectKeys } from "../list/walk-tasks.ts";

export interface PruneLimits {
  olderThanMs?: number | undefined;
  totalBytesMax?: number | undefined;
  clock: Clock;
}

export interface PlannedTask {
  projectKey: string;
  id: string;
  endedAtMs: number;
  bytes: number;
  reason: "age" | "quota";
}

/**
 * Which tasks are to go: those that ended too long ago, then the oldest until all outputs fit; oldest first. Names and
 * sizes tell, no file is opened. What runs is never among them.
 */
export function planPrune(home: string, { olderThanMs, totalBytesMax, clock }: PruneLimits): PlannedTask[] {
  const oldestMs = clock.now().getTime() - (olderThanMs ?? endedTaskAgeMsMax);
  const { ended, unfinished } = sizedTasks(home, oldestMs);
  let left = ended.reduce((sum, { bytes }) => sum + bytes, 0);
  const planned: PlannedTask[] = [];
  for (const task of ended.sort((a, b) => a.endedAtMs - b.endedAtMs)) {
    const isOld = task.endedAtMs < oldestMs;
    if (!isOld && left <= (totalBytesMax ?? totalOutputBytesMax)) continue;
    left -= task.bytes;
    planned.push({ ...task, reason: isOld ? "age" : "quota" });
  }
  for (const task of unfinished) planned.push({ ...task, reason: "age" });
  return planned;
}

/** Whether that may be any, as far as the index knows: if not, nobody has to look at every output. */
export function mayBePruned(home: string, { clock }: { clock: Clock }): boolean {
  const oldest = new Date(clock.now().getTime() - endedTaskAgeMsMax);
  const { old, bytes } = askEnded(home, ({ ended }) => ended.totals(oldest));
  return old > 0 || bytes > totalOutputBytesMax;
}

type SizedTask = Omit<PlannedTask, "reason">;

function sizedTasks(home: string, oldestMs: number): { ended: SizedTask[]; unfinished: SizedTask[] } {
  const ended: SizedTask[] = [];
  const unfinished: SizedTask[] = [];
  for (const projectKey of listProjectKeys(home)) {
    for (const { id, hasRecord, isEnded } of listTaskNames(holdfastPaths(home).tasksDir(projectKey))) {
      const files = taskFiles(home, { projectKey, id });
      const isWhole = hasRecord && isEnded;
      const endedAtMs = isWhole ? timeOf(files.ending) : hasRecord ? cutOffAt(files, oldestMs) : oldestMs;
      if (endedAtMs === undefined) continue;
      const bytes = outputBytes(files);
      (isWhole ? ended : unfinished).push({ projectKey, id, endedAtMs, bytes });
    }
  }
  return { ended, unfinished };
}

function timeOf(file: string): number | undefined {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

// When a launch was cut off, if that is long ago: killed, with its launcher, before its record was whole. Nobody was told
// of it.
function cutOffAt({ record, run }: TaskFiles, oldestMs: number): number | undefined {
  if (readJson(record) !== undefined || fs.existsSync(run)) return undefined;
  const stat = fs.lstatSync(record, { throwIfNoEntry: false });
  return stat && stat.mtimeMs < oldestMs && stat.uid === process.getuid?.() ? stat.mtimeMs : undefined;
}
