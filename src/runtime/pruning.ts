import type { PrunedItem } from "../health/prune-home.ts";
import type { Clock } from "../lib/clock.ts";
import type { Tasks } from "../tasks/open-tasks.ts";
import type { PrunedTask, PruneProgress } from "../tasks/prune/prune-tasks.ts";

export interface PruneAllOptions {
  /** Ended or kept longer ago than this. */
  olderThanMs?: number | undefined;
  /** What the outputs of all tasks may take together. */
  tasksBytesMax?: number | undefined;
  /** What trash, undo copies and backups of repairs may take together. */
  keptBytesMax?: number | undefined;
  /** Only say what would go. */
  dryRun?: boolean | undefined;
  onProgress?: ((progress: PruneProgress) => void) | undefined;
}

export interface Pruned {
  tasks: PrunedTask[];
  /** From the trash, undo copies and backups of repairs. */
  kept: PrunedItem[];
}

/** Removes what is too old or too large of everything that the home keeps; the archive is never touched. */
export async function pruneAll(
  { home, clock, tasks }: { home: string; clock: Clock; tasks: Tasks },
  { olderThanMs, tasksBytesMax, keptBytesMax, dryRun, onProgress }: PruneAllOptions,
): Promise<Pruned> {
  const [{ pruneHome }, { tidyManifests }] = await Promise.all([
    import("../health/prune-home.ts"),
    import("../recovery/tidy-manifests.ts"),
  ]);
  // Before the tasks: a project folder whose last file this removes goes with them.
  if (!dryRun) tidyManifests(home, { now: clock.now() });
  return {
    tasks: await tasks.prune({ olderThanMs, totalBytesMax: tasksBytesMax, dryRun, onProgress }),
    kept: pruneHome(home, { olderThanMs, totalBytesMax: keptBytesMax, dryRun, clock }),
  };
}
