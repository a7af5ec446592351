import fs from "node:fs";
import path from "node:path";
import { endedTaskAgeMsMax, totalOutputBytesMax } from "../format/limits.ts";
import type { Clock } from "../lib/clock.ts";
import { eachTask } from "./list-tasks.ts";
import { readTask, type Task } from "./task.ts";
import { readJson } from "./task-files.ts";
import { isEnded, type EndedState } from "./task-state.ts";

export interface PruneOptions {
  olderThanMs?: number | undefined;
  totalBytesMax?: number | undefined;
  dryRun?: boolean | undefined;
  clock: Clock;
}

export interface PrunedTask {
  id: string;
  description: string;
  endedAt: string;
  bytes: number;
  reason: "age" | "quota";
}

/** Removes ended tasks that are too old, then the oldest until all outputs fit. What runs is never touched. */
export function pruneTasks(home: string, options: PruneOptions): PrunedTask[] {
  const {
    olderThanMs = endedTaskAgeMsMax,
    totalBytesMax = totalOutputBytesMax,
    dryRun = false,
    clock,
  } = options;
  const ended = endedTasks(home);
  const oldest = clock.now().getTime() - olderThanMs;
  let total = ended.reduce((sum, { bytes }) => sum + bytes, 0);
  const pruned: PrunedTask[] = [];
  for (const { task, bytes } of ended) {
    const isOld = Date.parse(task.state.endedAt) < oldest;
    if (!isOld && total <= totalBytesMax) continue;
    total -= bytes;
    const { id, description } = task.record;
    pruned.push({ id, description, endedAt: task.state.endedAt, bytes, reason: isOld ? "age" : "quota" });
    if (!dryRun) removeTask(task);
  }
  return [...pruned, ...pruneUnfinishedLaunches(home, { oldest, dryRun })];
}

// What is left of a launch that was killed, with its launcher, before its record was whole: nobody was told of it.
function pruneUnfinishedLaunches(
  home: string,
  { oldest, dryRun }: { oldest: number; dryRun: boolean },
): PrunedTask[] {
  const pruned: PrunedTask[] = [];
  for (const { files, isEnded: hasEnded } of eachTask(home)) {
    if (hasEnded || readJson(files.record) !== undefined || fs.existsSync(files.run)) continue;
    const stat = fs.lstatSync(files.record, { throwIfNoEntry: false });
    if (!stat || stat.mtimeMs >= oldest || stat.uid !== process.getuid?.()) continue;
    const endedAt = stat.mtime.toISOString();
    const bytes = bytesOf(files.output) + bytesOf(files.stderr);
    pruned.push({ id: files.id, description: "(a launch that was cut off)", endedAt, bytes, reason: "age" });
    if (!dryRun) removeTask({ files });
  }
  return pruned;
}

/** Removes an ended task's files; the record before the ending, so that it never looks as if it still ran. */
export function removeTask({ files }: Pick<Task, "files">): void {
  // First: its supervisor may be about to give the ending its name.
  fs.rmSync(files.endingDraft, { force: true });
  const dir = path.dirname(files.base);
  const prefix = `${files.id}.`;
  const names = fs.readdirSync(dir).filter((name) => name.startsWith(prefix));
  const last = [path.basename(files.record), path.basename(files.ending)];
  for (const name of [...names.filter((each) => !last.includes(each)), ...last])
    fs.rmSync(path.join(dir, name), { recursive: true, force: true });
}

interface SizedTask {
  task: Task & { state: EndedState };
  bytes: number;
}

function endedTasks(home: string): SizedTask[] {
  const tasks: SizedTask[] = [];
  for (const { files, isEnded: hasEnded } of eachTask(home)) {
    const task = hasEnded ? readTask(files) : undefined;
    if (!task || !isEnded(task.state)) continue;
    tasks.push({ task: task as SizedTask["task"], bytes: bytesOf(files.output) + bytesOf(files.stderr) });
  }
  return tasks.sort((a, b) => (a.task.state.endedAt < b.task.state.endedAt ? -1 : 1));
}

// What a file takes on the disk: a cut head takes nothing, and a link to a transcript next to nothing.
function bytesOf(file: string): number {
  return (fs.lstatSync(file, { throwIfNoEntry: false })?.blocks ?? 0) * 512;
}
