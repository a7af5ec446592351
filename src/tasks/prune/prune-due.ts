import path from "node:path";
import { endedTaskAgeMsMax, totalOutputBytesMax } from "../limits.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { eachName } from "../../lib/names-in.ts";
import { DerivedIndex } from "../../store/index/derived-index.ts";
import { EndedTasks } from "../list/ended-tasks.ts";
import { filesOfName } from "../record/running-tasks.ts";
import { isAgentOutput, outputBytes, shellFileNames, type TaskFiles } from "../record/task-files.ts";
import { mayGo, type PruneLimits } from "./plan-prune.ts";
import { removeFiles } from "./remove-task.ts";

export interface DueOptions extends Omit<PruneLimits, "withUntold"> {
  /** How long this may take; what is left then goes the next time. */
  withinMs: number;
}

/**
 * Removes ended tasks whose time has come, as far as there is time: what pruneTasks() would remove, found by the index and by what
 * has ended since that was last looked at, so that no folder is read whole. Returns how many went.
 */
export function pruneDue(home: string, options: DueOptions): number {
  const giveUpAt = performance.now() + options.withinMs;
  const hasTime = (): boolean => performance.now() < giveUpAt;
  const index = new DerivedIndex(holdfastPaths(home).indexDir, { waitMs: options.withinMs });
  const ended = new EndedTasks(home, index);
  const gone: TaskFiles[] = [];
  try {
    for (const files of dueTasks(ended, options)) {
      if (!hasTime()) break;
      const names = isAgentOutput(files) ? namesOf(files, hasTime) : shellFileNames(files.id);
      if (!names) continue;
      removeFiles(files, names);
      gone.push(files);
    }
    if (gone.length > 0 && index.bytes > 0)
      ended.mayWrite(() => gone.forEach((files) => ended.remove(files)));
  } finally {
    ended.close();
  }
  return gone.length;
}

// Oldest first: those of the index, then those that nobody has taken into it, then as many more as are too large together.
function* dueTasks(
  ended: EndedTasks,
  { olderThanMs, totalBytesMax, clock }: DueOptions,
): Generator<TaskFiles> {
  const { home } = ended;
  const oldest = new Date(clock.now().getTime() - (olderThanMs ?? endedTaskAgeMsMax));
  const isOld = (files: TaskFiles): boolean => mayGo(files, { endedBefore: oldest });
  yield* ended.startedBefore(oldest).filter(isOld);
  for (const name of eachName(holdfastPaths(home).endedDir)) {
    const files = filesOfName(home, name);
    if (files && isOld(files)) yield files;
  }
  const now = clock.now();
  let over = ended.totals(oldest).bytes - (totalBytesMax ?? totalOutputBytesMax);
  if (over <= 0) return;
  for (const files of ended.startedBefore(now)) {
    if (over <= 0) return;
    const bytes = outputBytes(files);
    if (!mayGo(files, { endedBefore: now })) continue;
    yield files;
    over -= bytes;
  }
}

// Also those that are named after a question that it asked. Undefined when there was no time to find them all.
function namesOf({ id, base }: TaskFiles, hasTime: () => boolean): string[] | undefined {
  const names: string[] = [];
  for (const name of eachName(path.dirname(base))) {
    if (!hasTime()) return undefined;
    if (name.startsWith(`${id}.`)) names.push(name);
  }
  return names;
}
