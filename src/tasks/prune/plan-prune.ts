import fs from "node:fs";
import { endedTaskAgeMsMax, totalOutputBytesMax } from "../limits.ts";
import { holdfastPaths } from "../../format/paths.ts";
import type { Clock } from "../../lib/clock.ts";
import { readJson } from "../../lib/read-json.ts";
import { continuedAs } from "../kinds/agent/continuation.ts";
import { askEnded } from "../list/ask-ended.ts";
import {
  isRetained,
  isSilent,
  listTaskNames,
  outputBytes,
  taskFiles,
  type TaskFiles,
  type TaskNames,
} from "../record/task-files.ts";
import type { TaskRecord } from "../record/task-record.ts";
import { listProjectKeys } from "../list/walk-tasks.ts";

export interface PruneLimits {
  olderThanMs?: number | undefined;
  totalBytesMax?: number | undefined;
  /** Also what nobody was told of. */
  withUntold?: boolean | undefined;
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
 * sizes tell. What runs is never among them, nor what somebody retains; and what nobody was told of only if it is asked for.
 */
export function planPrune(
  home: string,
  { olderThanMs, totalBytesMax, withUntold = false, clock }: PruneLimits,
): PlannedTask[] {
  const oldestMs = clock.now().getTime() - (olderThanMs ?? endedTaskAgeMsMax);
  const { ended, unfinished } = sizedTasks(home, oldestMs);
  let left = ended.reduce((sum, { bytes }) => sum + bytes, 0);
  const planned: PlannedTask[] = [];
  for (const task of ended.sort((a, b) => a.endedAtMs - b.endedAtMs)) {
    const isOld = task.endedAtMs < oldestMs;
    if (!isOld && left <= (totalBytesMax ?? totalOutputBytesMax)) continue;
    const { names, ...plan } = task;
    const isSpared = names.isRetained || !(withUntold || names.isSilent || isNoNews(taskFiles(home, task)));
    if (isSpared) continue;
    left -= task.bytes;
    planned.push({ ...plan, reason: isOld ? "age" : "quota" });
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

/** Whether an ended task may be removed that is old enough: by its files, whatever the index says. */
export function mayGo(files: TaskFiles, { endedBefore }: { endedBefore: Date }): boolean {
  const endedAtMs = timeOf(files.ending);
  if (endedAtMs === undefined || endedAtMs >= endedBefore.getTime()) return false;
  return !isRetained(files) && (isSilent(files) || isNoNews(files));
}

// From its launch on nobody was to be told of it, or it goes on as another task, whose end is told.
function isNoNews(files: TaskFiles): boolean {
  const record = readJson(files.record) as Partial<TaskRecord> | undefined;
  return record?.muted === true || (record?.agent !== undefined && continuedAs(files) !== undefined);
}

type SizedTask = Omit<PlannedTask, "reason">;
type EndedTask = SizedTask & { names: TaskNames };

function sizedTasks(home: string, oldestMs: number): { ended: EndedTask[]; unfinished: SizedTask[] } {
  const ended: EndedTask[] = [];
  const unfinished: SizedTask[] = [];
  for (const projectKey of listProjectKeys(home)) {
    for (const names of listTaskNames(holdfastPaths(home).tasksDir(projectKey))) {
      const { id, hasRecord, isEnded } = names;
      const files = taskFiles(home, { projectKey, id });
      const isWhole = hasRecord && isEnded;
      const endedAtMs = isWhole ? timeOf(files.ending) : hasRecord ? cutOffAt(files, oldestMs) : oldestMs;
      if (endedAtMs === undefined) continue;
      const bytes = outputBytes(files);
      const task = { projectKey, id, endedAtMs, bytes };
      if (isWhole) ended.push({ ...task, names });
      else unfinished.push(task);
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
