import fs from "node:fs";
import { isDecided } from "./read-state.ts";
import type { TaskFiles } from "./task-files.ts";

/**
 * Tells whoever watches a running task that something about it has changed: its progress, a stop, an answer. The file
 * that waits for its ending is the one that everybody watches; once the ending is in it, its time is the end's, and
 * whoever has something to tell is gone.
 */
export function touchTask({ endingDraft, ending }: TaskFiles): void {
  if (fs.existsSync(ending) || isDecided(endingDraft)) return;
  const now = new Date();
  try {
    fs.utimesSync(endingDraft, now, now);
  } catch {
    /* It has just ended, or the disk may not be written: there is the timed check. */
  }
}
