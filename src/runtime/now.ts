import type { TaskRow } from "../tasks/live/task-row.ts";
import { sectionRowsMax } from "./limits.ts";
import type { Runtime } from "./open-runtime.ts";
import { attentionCounts, nowSections, type NowView } from "./views/now-view.ts";
import { questionView } from "./views/question-view.ts";
import { taskRowView } from "./views/task-row-view.ts";

/** What needs somebody now, from the rows of all tasks. */
export async function nowView(
  { aside }: Pick<Runtime, "aside">,
  rows: readonly TaskRow[],
  now: Date = new Date(),
): Promise<NowView> {
  const since = new Date(now).setHours(0, 0, 0, 0);
  const { asking, today, ...sections } = nowSections(rows, { since });
  const [questions, { sessions, total }, projects] = await Promise.all([
    Promise.all(
      asking.map(async (row) => ({ task: taskRowView(row), question: (await questionView(row))! })),
    ),
    aside.ask("sessions", { limit: sectionRowsMax }),
    aside.ask("projects", {}),
  ]);
  return {
    counts: attentionCounts(rows),
    // The one that has waited longest first.
    needsYou: questions.toSorted((a, b) => (a.question.since < b.question.since ? -1 : 1)),
    ...sections,
    today: {
      tasks: today,
      sessions: sessions.filter(({ updatedAt }) => Date.parse(updatedAt) >= since),
    },
    found: { sessions: total, projects: projects.length },
  };
}
