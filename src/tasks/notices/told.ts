import type { Clock } from "../../lib/clock.ts";
import { codeOf } from "../../lib/errors.ts";
import { isFinished, refreshed, type Task } from "../record/task.ts";
import { confirmNotice } from "./confirm.ts";

/** Somebody who was shown how a task ended. */
export interface Reader {
  /** For the record: a session, a person's login, a process. */
  by: string;
  /** The session that it reads for. */
  sessionId?: string | undefined;
}

/**
 * The one rule of who was told by looking: who was shown the ending of its own task gets no notice of it. A task belongs
 * to the session that launched it; without one it is anybody's. What was shown to somebody else is still news.
 */
export function noteTold(task: Task, { by, sessionId, clock }: Reader & { clock: Clock }): void {
  const owner = task.record.sessionId;
  if (owner !== undefined && owner !== sessionId) return;
  if (isFinished(refreshed(task))) ifThereIsRoom(() => confirmNotice(task, { by, sessionId, clock }));
}

/**
 * Writes a note about what was read. The reading is worth more than the note: on a full or read-only disk it is told
 * again. (Of a folder that cannot be made on a read-only disk Node says ENOENT.)
 */
export function ifThereIsRoom(note: () => void): void {
  try {
    note();
  } catch (error) {
    if (!["ENOSPC", "EDQUOT", "EROFS", "EACCES", "ENOENT"].includes(codeOf(error) ?? "")) throw error;
  }
}
