import { taskCheckMs } from "../../format/limits.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { watchChanges } from "../../lib/watch-changes.ts";
import type { KnownRows } from "./known-rows.ts";

/**
 * Tells of every task of a home: first all there are, what runs before what has ended, then each change, whoever causes it,
 * until the signal. Starts, ends and what an agent does come at once, by a watch; what a command prints, and what becomes of
 * ended tasks, by a look once a second. Reads folders of any size in one go: meant for a thread of its own.
 */
export async function watchRows(
  home: string,
  rows: KnownRows,
  { signal, onComplete }: { signal: AbortSignal; onComplete: () => void },
): Promise<void> {
  const dir = ensurePrivateDir(holdfastPaths(home).runningDir);
  const changes = watchChanges([dir], { checkMs: taskCheckMs, signal });
  try {
    rows.lookAtRunning();
    rows.loadEnded();
    onComplete();
    for (let why = await changes.next(); why !== "aborted"; why = await changes.next()) {
      for (const name of changes.names) rows.lookAt(name);
      if (why !== "check") continue;
      rows.lookAtRunning();
      rows.lookAtEnded();
    }
  } finally {
    changes.close();
  }
}
