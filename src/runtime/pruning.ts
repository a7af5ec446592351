import type { PrunedItem } from "../health/prune-home.ts";
import type { Clock } from "../lib/clock.ts";
import { parseDuration } from "../lib/parse-duration.ts";
import { parseSize } from "../lib/parse-size.ts";
import type { ConfigPlace } from "../store/config/read-config.ts";
import { pruneDueMs } from "./limits.ts";
import type { Tasks } from "../tasks/open-tasks.ts";
import type { PrunedTask, PruneProgress } from "../tasks/prune/prune-tasks.ts";

export interface PruneAllOptions {
  /** Ended or kept longer ago than this. */
  olderThanMs?: number | undefined;
  /** What the outputs of all tasks may take together. */
  tasksBytesMax?: number | undefined;
  /** What trash, undo copies and backups of repairs may take together. */
  keptBytesMax?: number | undefined;
  /** Also ended tasks that nobody was told of. */
  withUntold?: boolean | undefined;
  /** Only say what would go. */
  dryRun?: boolean | undefined;
  onProgress?: ((progress: PruneProgress) => void) | undefined;
}

export interface Pruned {
  tasks: PrunedTask[];
  /** From the trash, undo copies and backups of repairs. */
  kept: PrunedItem[];
}

interface PrunePlace extends ConfigPlace {
  clock: Clock;
  tasks: Tasks;
}

/**
 * Removes what is too old or too large of everything that the home keeps; the archive is never touched. What is not said is as
 * the settings say. Throws `config_invalid`.
 */
export async function pruneAll(
  place: PrunePlace,
  { keptBytesMax, dryRun, onProgress, withUntold, ...given }: PruneAllOptions,
): Promise<Pruned> {
  const { home, clock, tasks } = place;
  const [{ pruneHome }, { tidyManifests }, { limits }] = await Promise.all([
    import("../health/prune-home.ts"),
    import("../recovery/tidy-manifests.ts"),
    readLimits(place),
  ]);
  // Before the tasks: a project folder whose last file this removes goes with them.
  if (!dryRun) tidyManifests(home, { now: clock.now() });
  return {
    tasks: await tasks.prune({
      olderThanMs: given.olderThanMs ?? limits.olderThanMs,
      totalBytesMax: given.tasksBytesMax ?? limits.totalBytesMax,
      withUntold,
      dryRun,
      onProgress,
    }),
    kept: pruneHome(home, { olderThanMs: given.olderThanMs, totalBytesMax: keptBytesMax, dryRun, clock }),
  };
}

/** Removes ended tasks whose time has come by the settings, in some milliseconds. What goes wrong is for `prune` to say. */
export async function pruneDue(place: PrunePlace): Promise<void> {
  try {
    const { isAutomatic, limits } = await readLimits(place);
    if (isAutomatic) await place.tasks.pruneDue({ ...limits, withinMs: pruneDueMs });
  } catch {
    /* see above */
  }
}

interface SetLimits {
  isAutomatic: boolean;
  limits: { olderThanMs?: number; totalBytesMax?: number };
}

async function readLimits(place: ConfigPlace): Promise<SetLimits> {
  const { readConfig } = await import("../store/config/read-config.ts");
  const { automatic = true, olderThan, maxTotal } = readConfig(place).prune ?? {};
  return {
    isAutomatic: automatic,
    limits: {
      ...(olderThan !== undefined && { olderThanMs: parseDuration(olderThan) }),
      ...(maxTotal !== undefined && { totalBytesMax: parseSize(maxTotal) }),
    },
  };
}
