import type { QuestionView } from "./question-view.ts";
import type { SessionView } from "./session-view.ts";
import type { TaskRowView } from "./task-row-view.ts";

export interface AttentionCounts {
  needsYou: number;
  running: number;
  unseen: number;
  lost: number;
}

/** What needs somebody now. Sections are in this order; a task is in the first that fits. */
export interface NowView {
  counts: AttentionCounts;
  /** Agents that ask, the one that has waited longest first, each with its question. */
  needsYou: { task: TaskRowView; question: QuestionView }[];
  /** Running and queued, newest first. */
  running: TaskRowView[];
  /** Ended, and nobody was told, newest ending first. */
  unseen: TaskRowView[];
  /** Gone without an ending, and nobody was told. */
  lost: TaskRowView[];
  /** Ended today and seen, newest ending first, and the sessions in which something happened today. */
  today: { tasks: TaskRowView[]; sessions: SessionView[] };
  /** For an empty page: how many sessions there are in how many projects. */
  found: { sessions: number; projects: number };
}
