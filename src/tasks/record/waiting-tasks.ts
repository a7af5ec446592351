import fs from "node:fs";
import path from "node:path";
import { codeOf } from "../../lib/errors.ts";
import { namesIn } from "../../lib/names-in.ts";
import { startTimeOf } from "../../lib/process-identity.ts";
import type { ShellSettings, TaskRecord } from "./task-record.ts";
import type { TaskFiles } from "./task-files.ts";

/** What the pipe of a task that waits is called before its supervisor's pid (supervise/sh/queue.sh): sorted, they are the line. */
export function turnName(
  { id, startedAt }: TaskRecord,
  { slots }: NonNullable<ShellSettings["waitsFor"]>,
): string {
  return `${slots === 1 ? "after" : "line"}.${String(Date.parse(startedAt)).padStart(15, "0")}.${id}`;
}

/** Where the pipes are of the home that a task is in. */
export function waitingDirOf({ endingDraft }: Pick<TaskFiles, "endingDraft">): string {
  return path.join(path.dirname(path.dirname(endingDraft)), "waiting");
}

/** Has a task that waits look again whether it may start, or is to stop. */
export function wakeWaiting(files: Pick<TaskFiles, "endingDraft" | "id">): void {
  const dir = waitingDirOf(files);
  for (const name of namesIn(dir)) if (name.split(".")[2] === files.id) wake(path.join(dir, name));
}

const { O_WRONLY, O_NONBLOCK } = fs.constants;

function wake(pipe: string): void {
  try {
    const fd = fs.openSync(pipe, O_WRONLY | O_NONBLOCK);
    try {
      fs.writeSync(fd, "\n");
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    // Nobody reads it: its supervisor was killed, or has only just made it and is about to look.
    if (codeOf(error) === "ENXIO" && startTimeOf(pidOf(pipe)) === undefined) fs.rmSync(pipe, { force: true });
  }
}

function pidOf(pipe: string): number {
  return Number(pipe.slice(pipe.lastIndexOf(".") + 1));
}
