import fs from "node:fs";
import { createFileAtomic } from "../../lib/atomic-write.ts";
import { codeOf } from "../../lib/errors.ts";
import type { Task } from "../record/task.ts";

/** Keeps a task from being pruned, until it is let go again. */
export function retainTask({ files }: Pick<Task, "files">, { isRetained }: { isRetained: boolean }): void {
  if (!isRetained) return fs.rmSync(files.retained, { force: true });
  try {
    createFileAtomic(files.retained, "\n");
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
