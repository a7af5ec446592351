import fs from "node:fs";
import { writeFully } from "../../../lib/atomic-write.ts";
import { codeOf } from "../../../lib/errors.ts";
import { taskError } from "../../errors.ts";
import type { Task } from "../../task.ts";
import { connectPty } from "./pty-connection.ts";

const { O_WRONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;

/** Writes text to the task's terminal or to its stdin, as if it were typed there. */
export async function sendInput({ record, files }: Task, text: string): Promise<void> {
  if (record.shell.tty) {
    const connection = await connectPty(files.base);
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
    // Nobody has the other end open any more.
    if (codeOf(cause) !== "ENXIO" && codeOf(cause) !== "ENOENT") throw cause;
    throw taskError("no_stdin", `Cannot send to task "${record.id}": it no longer reads`, { cause });
  }
  try {
    writeFully(fd, Buffer.from(text));
  } catch (cause) {
    if (codeOf(cause) !== "EAGAIN") throw cause;
    throw taskError(
      "no_stdin",
      `Cannot send to task "${record.id}": it does not read and its buffer is full`,
      { cause, retryable: true },
    );
  } finally {
    fs.closeSync(fd);
  }
}
