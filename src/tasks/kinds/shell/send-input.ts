import fs from "node:fs";
import { setTimeout } from "node:timers/promises";
import { sendWaitMs } from "./limits.ts";
import { codeOf } from "../../../lib/errors.ts";
import { taskError } from "../../errors.ts";
import { readEnding } from "../../record/read-state.ts";
import type { Task } from "../../record/task.ts";
import { connectWhenReady } from "./connect-when-ready.ts";

const { O_WRONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
const POLL_MS = 10;

/** Writes text to the task's terminal or to its stdin, as if it were typed there. */
export async function sendInput(task: Task, text: string): Promise<void> {
  const { record, files } = task;
  if (readEnding(files)) throw taskError("no_stdin", `Cannot send to task "${record.id}": it has ended`);
  if (record.shell.tty) {
    const connection = await connectWhenReady(task);
    await connection.send({ input: text });
    connection.close();
    return;
  }
  if (!record.shell.stdin)
    throw taskError("no_stdin", `Cannot send to task "${record.id}": it was started without --stdin`);
  let fd: number;
  try {
    fd = fs.openSync(files.stdin, O_WRONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch (cause) {
    if (codeOf(cause) !== "ENXIO" && codeOf(cause) !== "ENOENT") throw cause;
    throw noReader(task, cause);
  }
  try {
    await writeAll(task, { fd, bytes: Buffer.from(text) });
  } finally {
    fs.closeSync(fd);
  }
}

// A pipe holds 64 KiB; the rest waits until the command has read.
async function writeAll(task: Task, { fd, bytes }: { fd: number; bytes: Buffer }): Promise<void> {
  let sent = 0;
  let giveUpAt = performance.now() + sendWaitMs;
  while (sent < bytes.length) {
    try {
      sent += fs.writeSync(fd, bytes, sent);
      giveUpAt = performance.now() + sendWaitMs;
    } catch (cause) {
      if (codeOf(cause) === "EPIPE") throw noReader(task, cause);
      if (codeOf(cause) !== "EAGAIN") throw cause;
      if (performance.now() > giveUpAt) {
        const how = `it does not read, and has been given ${sent} of ${bytes.length} bytes`;
        throw taskError("no_stdin", `Cannot send to task "${task.record.id}": ${how}`, {
          cause,
          fields: { sentBytes: sent },
        });
      }
      await setTimeout(POLL_MS);
    }
  }
}

function noReader({ record }: Task, cause?: unknown): Error {
  return taskError("no_stdin", `Cannot send to task "${record.id}": it no longer reads`, { cause });
}
