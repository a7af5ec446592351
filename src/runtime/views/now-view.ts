import type { TaskRow } from "../../tasks/live/task-row.ts";
import { isEnded } from "../../tasks/record/task-state.ts";
import { sectionRowsMax } from "../limits.ts";
import type { QuestionView } from "./question-view.ts";
import type { SessionView } from "./session-view.ts";
import { attentionOf, taskRowView, type TaskRowView } from "./task-row-view.ts";

export interface AttentionCounts {
  needsYou: number;
  running: number;
  unseen: number;
  lost: number;
}

/** What needs somebody now. Sections are in this order; a task is in the first that fits. Long ones have their beginning only. */
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

export function attentionCounts(rows: readonly TaskRow[]): AttentionCounts {
  const counts: AttentionCounts = { needsYou: 0, running: 0, unseen: 0, lost: 0 };
  for (const row of rows) {
    const section = sectionOf(row);
    if (section) counts[section]++;
  }
  return counts;
}

function sectionOf(row: TaskRow): keyof AttentionCounts | undefined {
  const attention = attentionOf(row);
  if (attention === "needs-you") return "needsYou";
  return attention ?? (isEnded(row.state) ? undefined : "running");
}

/** The tasks of each section, from all of them, newest first. */
export function nowSections(
  rows: readonly TaskRow[],
  { since }: { since: number },
): {
  asking: TaskRow[];
  running: TaskRowView[];
  unseen: TaskRowView[];
  lost: TaskRowView[];
  today: TaskRowView[];
} {
  const inSection = (section: keyof AttentionCounts): TaskRow[] =>
    rows.filter((row) => sectionOf(row) === section);
  const shown = (section: readonly TaskRow[]): TaskRowView[] =>
    section.slice(0, sectionRowsMax).map(taskRowView);
  const over = rows.filter((row) => sectionOf(row) === undefined && (row.endedAtMs ?? 0) >= since);
  return {
    asking: inSection("needsYou"),
    running: shown(inSection("running")),
    unseen: shown(newestEndingFirst(inSection("unseen"))),
    lost: shown(newestEndingFirst(inSection("lost"))),
    today: shown(newestEndingFirst(over)),
  };
}

function newestEndingFirst(rows: readonly TaskRow[]): TaskRow[] {
  return rows.toSorted((a, b) => (b.endedAtMs ?? 0) - (a.endedAtMs ?? 0));
}
