import { createHash } from "node:crypto";
import path from "node:path";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { readJson } from "../../lib/read-json.ts";
import type { TaskFiles } from "../record/task-files.ts";

/** How far a reader has read a task's two streams, in bytes. */
export interface OutputCursor {
  stdout: number;
  stderr: number;
}

export function readCursor(files: TaskFiles, reader: string): OutputCursor {
  const cursor = readJson(cursorFile(files, reader)) as OutputCursor | undefined;
  return cursor ?? { stdout: 0, stderr: 0 };
}

/** Keeps the place; two processes that read as the same reader may each see the same piece. */
export function advanceCursor(files: TaskFiles, reader: string, cursor: OutputCursor): void {
  ensurePrivateDir(files.cursors);
  writeFileAtomic(cursorFile(files, reader), JSON.stringify(cursor));
}

// A reader's name may be anything; its digest is a file name.
function cursorFile(files: TaskFiles, reader: string): string {
  return path.join(files.cursors, `${createHash("sha256").update(reader).digest("hex").slice(0, 24)}.json`);
}
