import { setImmediate } from "node:timers/promises";
import { endedTasksAtOnce } from "../limits.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { readJson } from "../../lib/read-json.ts";
import { planPrune, type PlannedTask, type PruneLimits } from "./plan-prune.ts";
import { listRunning } from "../record/running-tasks.ts";
import { readTask } from "../record/task.ts";
import { forgetTasks, removeEmptyFolders, removeFiles } from "./remove-task.ts";
import { isRetained, namesByTask, taskFiles, type TaskFiles } from "../record/task-files.ts";
import type { TaskRecord } from "../record/task-record.ts";

export interface PruneOptions extends PruneLimits {
  dryRun?: boolean | undefined;
  /** Told now and then. */
  onProgress?: ((progress: PruneProgress) => void) | undefined;
}

/** How many of how many tasks are done. */
export interface PruneProgress {
  done: number;
  total: number;
}

export interface PrunedTask extends Omit<PlannedTask, "projectKey" | "endedAtMs"> {
  description: string;
  endedAt: string;
}

/**
 * Removes ended tasks that are too old, then the oldest until all outputs fit, and folders that are empty then. What runs
 * is never touched. The event loop gets its turn in between, so that Ctrl+C ends it; what is not removed by then is whole.
 */
export async function pruneTasks(home: string, options: PruneOptions): Promise<PrunedTask[]> {
  const { dryRun = false, onProgress } = options;
  // Whoever is lost without anybody having noticed is noticed now, and goes when its time has come.
  for (const files of listRunning(home)) readTask(files);
  const planned = planPrune(home, options);
  const pruned: PrunedTask[] = [];
  const folders = new Map<string, Map<string, string[]>>();
  const namesOf = ({ projectKey, id }: TaskFiles): string[] => {
    const names = folders.get(projectKey) ?? namesByTask(holdfastPaths(home).tasksDir(projectKey));
    folders.set(projectKey, names);
    return names.get(id) ?? [];
  };
  for (let done = 0; done < planned.length; done += endedTasksAtOnce) {
    onProgress?.({ done, total: planned.length });
    await setImmediate();
    const piece = planned
      .slice(done, done + endedTasksAtOnce)
      .map((task) => ({ task, files: taskFiles(home, task) }));
    for (const { task, files } of piece) {
      // Somebody may have said so since it was planned.
      if (isRetained(files)) continue;
      pruned.push(describe(task, files));
      if (!dryRun) removeFiles(files, namesOf(files));
    }
    if (!dryRun)
      forgetTasks(
        home,
        piece.map(({ files }) => files),
      );
  }
  if (!dryRun) removeEmptyFolders(home);
  return pruned;
}

function describe({ id, endedAtMs, bytes, reason }: PlannedTask, { record }: TaskFiles): PrunedTask {
  const description =
    (readJson(record) as TaskRecord | undefined)?.description ?? "(its record is missing, or was cut off)";
  return { id, description, endedAt: new Date(endedAtMs).toISOString(), bytes, reason };
}
