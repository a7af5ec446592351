import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { agentMessageBytesMax, agentMessagesMax } from "./limits.ts";
import { namesIn } from "../../../lib/names-in.ts";
import { createFileAtomic } from "../../../lib/atomic-write.ts";
import type { Clock } from "../../../lib/clock.ts";
import { codeOf } from "../../../lib/errors.ts";
import { ensurePrivateDir } from "../../../lib/private-dir.ts";
import { readJson } from "../../../lib/read-json.ts";
import { taskError } from "../../errors.ts";
import { refreshed, type Task } from "../../record/task.ts";
import type { TaskFiles } from "../../record/task-files.ts";
import { isEnded } from "../../record/task-state.ts";
import { touchTask } from "../../record/touch-task.ts";

/** A message to a running agent. Its id becomes the uuid of its entry, so that it is never recorded twice. */
export interface SentMessage {
  id: string;
  text: string;
}

let sent = 0;

/** Makes the place for messages. It is there from the launch until the agent has given its answer. */
export function openInbox({ inbox }: TaskFiles): void {
  ensurePrivateDir(inbox);
}

/**
 * Takes no more messages: whoever sends one from now on is told so. False, and open again, when one came meanwhile. The
 * folder is moved away, so that a message is either in it by then or cannot be put there.
 */
export function closeInbox(files: TaskFiles): boolean {
  const closed = `${files.inbox}.closed`;
  try {
    fs.renameSync(files.inbox, closed);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return true;
    throw error;
  }
  if (listMessages({ inbox: closed }).length === 0) return true;
  fs.renameSync(closed, files.inbox);
  return false;
}

/** Says something to a running agent. `otherwise` says what to do with one that has ended. */
export function sendMessage(
  task: Task,
  text: string,
  { clock, otherwise }: { clock: Clock; otherwise: string },
): void {
  const { files } = task;
  if (isEnded(refreshed(task).state))
    throw taskError("no_stdin", `Cannot send to task "${files.id}": it has ended; ${otherwise}`);
  putMessage(files, text, clock);
  touchTask(files);
}

/** Puts a message where the agent's host finds it. When this returns it is on the disk. Throws `no_stdin` when it ends. */
export function putMessage(files: TaskFiles, text: string, clock: Clock): void {
  const bytes = Buffer.byteLength(text);
  if (text.trim() === "" || bytes > agentMessageBytesMax) {
    const why =
      bytes > agentMessageBytesMax
        ? `it has ${bytes} bytes, more than ${agentMessageBytesMax}`
        : "it is empty";
    throw taskError("task_refused", `Cannot send message to task "${files.id}": ${why}`);
  }
  if (listMessages(files).length >= agentMessagesMax) {
    const why = `${agentMessagesMax} messages wait for it already`;
    throw taskError("task_limit", `Cannot send message to task "${files.id}": ${why}`, { retryable: true });
  }
  const message: SentMessage = { id: randomUUID(), text };
  // By time, then by the order of the calls; the id tells apart what two processes send in one moment.
  const order = `${String(clock.now().getTime()).padStart(15, "0")}-${String(sent++).padStart(8, "0")}`;
  try {
    createFileAtomic(path.join(files.inbox, `${order}-${message.id}.json`), `${JSON.stringify(message)}\n`);
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT") throw cause;
    throw taskError("no_stdin", `Cannot send to task "${files.id}": it is about to end`, { cause });
  }
}

/** Messages that wait, oldest first. */
export function readMessages(files: TaskFiles): SentMessage[] {
  return listMessages(files)
    .map((name) => readJson(path.join(files.inbox, name)) as SentMessage | null | undefined)
    .filter((message): message is SentMessage => typeof message?.text === "string");
}

/** Takes away a message that is in the transcript. */
export function forgetMessage(files: TaskFiles, { id }: SentMessage): void {
  for (const name of listMessages(files))
    if (name.endsWith(`-${id}.json`)) fs.rmSync(path.join(files.inbox, name), { force: true });
}

const NAME = /^\d{15}-\d{8}-[0-9a-f-]{36}\.json$/;

function listMessages({ inbox }: Pick<TaskFiles, "inbox">): string[] {
  return namesIn(inbox)
    .filter((name) => NAME.test(name))
    .sort();
}
