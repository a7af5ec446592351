import fs from "node:fs";
import path from "node:path";
import { writeFully } from "../../lib/atomic-write.ts";
import { codeOf } from "../../lib/errors.ts";
import { syncDir } from "../../lib/private-dir.ts";
import { leaveRunning } from "./running-tasks.ts";
import type { TaskFiles } from "./task-files.ts";

/** An ending as it is on the disk. */
export interface WrittenEnding {
  exitCode: number;
  reason: "exit" | "timeout" | "stopped";
}

/**
 * Writes the ending of a task that has no supervisor, into the place that was set aside for it, and gives it its name.
 * Of several writers the first one counts (keeps I2).
 */
export function writeEnding(files: TaskFiles, ending: WrittenEnding): void {
  if (fs.existsSync(files.ending)) return;
  let fd: number;
  try {
    fd = fs.openSync(files.endingDraft, "r+");
  } catch (error) {
    // Somebody has ended and tidied it, or removed the task.
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  try {
    writeFully(fd, Buffer.from(JSON.stringify({ schemaVersion: 1, ...ending })));
    fs.fdatasyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
  try {
    fs.linkSync(files.endingDraft, files.ending);
  } catch (error) {
    if (codeOf(error) !== "EEXIST" && codeOf(error) !== "ENOENT") throw error;
  }
  leaveRunning(files);
  syncDir(path.dirname(files.ending));
}
