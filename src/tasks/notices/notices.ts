import fs from "node:fs";
import { taskSummary } from "../../format/task-summary.ts";
import { buildTaskNotification } from "../../format/task-notification.ts";
import { createFileAtomic } from "../../lib/atomic-write.ts";
import type { Clock } from "../../lib/clock.ts";
import { codeOf } from "../../lib/errors.ts";
import type { IndexOptions } from "../../store/index/derived-index.ts";
import { askEnded, type KnownTasks } from "../list/ask-ended.ts";
import { agentNotice } from "../kinds/agent/agent-notice.ts";
import { continuedAs } from "../kinds/agent/continuation.ts";
import { isFinished, type FinishedTask, type Task } from "../record/task.ts";
import { isSilent } from "../record/task-files.ts";
import type { EndedState } from "../record/task-state.ts";

/** That a background task has ended, for whoever is to know. */
export interface Notice {
  taskId: string;
  /** The session that launched it; without one the notice is for anyone. */
  sessionId?: string;
  cwd: string;
  status: EndedState["status"];
  summary: string;
  /** The `<task-notification>` that a conversation is given. */
  text: string;
  endedAt: string;
}

export interface NoticeReader {
  /** Whose notices; without it those of every session, and those for anyone. */
  sessionId?: string | undefined;
  /** The reader's project: it also gets the notices of sessions there that no process has open any more. */
  cwd?: string | undefined;
  isSessionAlive: (sessionId: string) => boolean;
}

export interface NoticeTaker {
  /** Kept with each. */
  by: string;
  /** Others are left for whom they are for. */
  isWanted?: (notice: Notice) => boolean;
}

/**
 * Notices that nobody has taken yet, oldest first. A notice is queued by the ending itself, so it exists whoever died;
 * it is consumed by a file that exactly one process creates. A task with living children has not ended and says nothing.
 */
export function listNotices(home: string, reader: NoticeReader, indexOptions?: IndexOptions): Notice[] {
  return unconsumed(home, indexOptions)
    .filter((task) => isFor(task, reader))
    .map(noticeOf)
    .sort((a, b) => (a.endedAt < b.endedAt ? -1 : 1));
}

/**
 * Takes the notices: of several readers at once, each notice goes to exactly one. On a full disk it gives those that it
 * could take; it throws only when it took none.
 */
export function consumeNotices(
  home: string,
  reader: NoticeReader & NoticeTaker & { clock: Clock },
  indexOptions?: IndexOptions,
): Notice[] {
  const { isWanted = () => true } = reader;
  const taken: Notice[] = [];
  try {
    for (const task of unconsumed(home, indexOptions).filter((each) => isFor(each, reader))) {
      const notice = noticeOf(task);
      if (isWanted(notice) && consumeNotice(task, reader)) taken.push(notice);
    }
  } catch (error) {
    if (taken.length === 0) throw error;
  }
  return taken.sort((a, b) => (a.endedAt < b.endedAt ? -1 : 1));
}

/** Takes one task's notice; false when somebody has it already. A read that returned the ending counts as taking it. */
export function consumeNotice({ files }: Task, { by, clock }: { by: string; clock: Clock }): boolean {
  // Creating a file finds out, too, but only after it has synced a draft. An ended task may be read any number of times.
  if (fs.existsSync(files.noticeConsumed)) return false;
  try {
    createFileAtomic(files.noticeConsumed, `${JSON.stringify({ by, at: clock.now().toISOString() })}\n`);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Says nothing of this task's ending, to nobody. */
export function muteNotice({ files }: Pick<Task, "files">): void {
  try {
    createFileAtomic(files.noticeMuted, "\n");
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

// The index only knows where to look: whether a notice was taken is in files.
function unconsumed(home: string, indexOptions?: IndexOptions): FinishedTask[] {
  const question = ({ ended }: KnownTasks): FinishedTask[] => {
    const found: FinishedTask[] = [];
    for (const files of ended.untold()) {
      const task = ended.read(files);
      if (!task || !isFinished(task)) continue;
      if (task.record.muted || isSilent(files)) ended.noteTold(files);
      // What was continued has its end still before it, though whoever continued it died before he could take the notice.
      else if (!task.record.agent || continuedAs(files) === undefined) found.push(task);
    }
    return found;
  };
  return askEnded(home, question, indexOptions);
}

function isFor({ record }: Task, { sessionId, cwd, isSessionAlive }: NoticeReader): boolean {
  if (sessionId === undefined || record.sessionId === sessionId) return true;
  if (cwd !== undefined && record.cwd !== cwd) return false;
  return record.sessionId === undefined || !isSessionAlive(record.sessionId);
}

/** An ending in the client's words. */
export const clientStatus = {
  completed: "completed",
  failed: "failed",
  stopped: "killed",
  lost: "failed",
} as const;

export function noticeOf(task: FinishedTask): Notice {
  const { record, files, state } = task;
  const { summary, ...more } = record.agent
    ? agentNotice(task)
    : {
        summary: taskSummary("Background command", {
          description: record.description,
          how: howItEnded(state),
        }),
      };
  return {
    taskId: record.id,
    ...(record.sessionId !== undefined && { sessionId: record.sessionId }),
    cwd: record.cwd,
    status: state.status,
    summary,
    endedAt: state.endedAt,
    text: buildTaskNotification({
      taskId: record.id,
      ...(record.toolUseId !== undefined && { toolUseId: record.toolUseId }),
      outputFile: files.output,
      status: clientStatus[state.status],
      summary,
      ...more,
    }),
  };
}

// In the client's own words where it has some.
function howItEnded(state: EndedState): string {
  switch (state.status) {
    case "completed":
      return "completed (exit code 0)";
    case "failed":
      if (state.reason === "timeout") return "timed out";
      if (state.reason === "output-limit") return "was ended: its output went over the limit";
      return `failed with exit code ${state.exitCode}`;
    case "stopped":
      return "was stopped";
    case "lost":
      return `was lost: ${state.cause}`;
  }
}
