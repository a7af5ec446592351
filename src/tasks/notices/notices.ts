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
import { confirmNotice, type Teller } from "./confirm.ts";
import { offerNotice, repetitionText, stateOfOffer, type Offer } from "./offer.ts";
import { ifThereIsRoom } from "./told.ts";
import { mayBeTold, type NewsReader } from "./who-is-told.ts";
import type { EndedState } from "../record/task-state.ts";

/** The notice that a background task has ended. */
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
  /** Somebody had it before and died before it was known to have arrived. */
  mayRepeat?: true;
}

export type NoticeReader = NewsReader;

export interface NoticeTaker {
  /** Kept with each. */
  by: string;
  /** Others are left for whom they are for. */
  isWanted?: (notice: Notice) => boolean;
  /**
   * For a taker that has still to deliver them: given the confirmation of each, to be called afterwards. If this process
   * dies before, the next one gets it. Without it they are confirmed at once.
   */
  whenDelivered?: ((confirm: () => void, notice: Notice) => void) | undefined;
}

/**
 * Notices that nobody has been told and nobody is telling, oldest first. A notice is queued by the ending itself, so it
 * exists whoever died. A task with living children has not ended and says nothing.
 */
export function listNotices(
  home: string,
  reader: NoticeReader & { clock: Clock },
  indexOptions?: IndexOptions,
): Notice[] {
  return untold(home, reader, indexOptions)
    .filter(({ record }) => mayBeTold(record, reader))
    .map((task) => noticeOf(task))
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
  const { isWanted = () => true, whenDelivered } = reader;
  const taken: Notice[] = [];
  try {
    for (const task of untold(home, reader, indexOptions)) {
      if (!mayBeTold(task.record, reader) || !isWanted(noticeOf(task))) continue;
      const { by, sessionId, clock } = reader;
      const asked = { by, sessionId, owner: task.record.sessionId, now: clock.now() };
      const offer = offerNotice(task.files.noticeOffer, asked);
      // Told by another one since the list was made.
      if (!offer || isSilent(task.files)) {
        offer?.withdraw();
        continue;
      }
      const notice = noticeOf(task, offer);
      if (whenDelivered) whenDelivered(() => ifThereIsRoom(() => confirmNotice(task, reader)), notice);
      else confirmOrWithdraw(task, { ...reader, offer });
      taken.push(notice);
    }
  } catch (error) {
    if (taken.length === 0) throw error;
  }
  return taken.sort((a, b) => (a.endedAt < b.endedAt ? -1 : 1));
}

function confirmOrWithdraw(task: Task, { offer, ...teller }: Teller & { offer: Offer }): void {
  try {
    confirmNotice(task, teller);
  } catch (error) {
    offer.withdraw();
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

// The index only knows where to look: whether a notice was told is in files.
function untold(home: string, { clock }: { clock: Clock }, indexOptions?: IndexOptions): FinishedTask[] {
  const question = ({ ended }: KnownTasks): FinishedTask[] => {
    const found: FinishedTask[] = [];
    for (const files of ended.untold()) {
      const task = ended.read(files);
      if (!task || !isFinished(task)) continue;
      if (task.record.muted || isSilent(files)) ended.noteTold(files);
      // What was continued has its end still before it, though whoever continued it died before he could take the notice.
      else if (task.record.agent && continuedAs(files) !== undefined) continue;
      else if (isFree(task, clock)) found.push(task);
    }
    return found;
  };
  return askEnded(home, question, indexOptions);
}

// What has arrived is confirmed by whoever sees it.
function isFree(task: Task, clock: Clock): boolean {
  const offer = stateOfOffer(task.files.noticeOffer, { now: clock.now() });
  if (offer.status === "arrived")
    ifThereIsRoom(() => confirmNotice(task, { by: offer.by, sessionId: offer.by, clock }));
  return offer.status === "free";
}

/** An ending in the client's words. */
export const clientStatus = {
  completed: "completed",
  failed: "failed",
  stopped: "killed",
  lost: "failed",
} as const;

export function noticeOf(task: FinishedTask, { mayRepeat = false }: { mayRepeat?: boolean } = {}): Notice {
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
    ...(mayRepeat && { mayRepeat }),
    text: buildTaskNotification({
      taskId: record.id,
      ...(record.toolUseId !== undefined && { toolUseId: record.toolUseId }),
      outputFile: files.output,
      status: clientStatus[state.status],
      summary,
      ...(mayRepeat && { note: repetitionText }),
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
