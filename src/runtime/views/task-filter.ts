import type { TaskRow } from "../../tasks/live/task-row.ts";
import type { TaskKind } from "../../tasks/record/task-record.ts";
import { attentionOf } from "./task-row-view.ts";

/** Which tasks somebody wants to see. */
export interface TaskFilter {
  /** A status, or several with commas; `attention` is whatever needs somebody. */
  status?: string;
  /** A folder, for its tasks and those of the folders inside of it; or a project by the name of its folder. */
  project?: string;
  kind?: TaskKind;
  session?: string;
  /** Words, each of which has to be in its id, name, description, command, folder or last line. */
  q?: string;
}

export function filterRows(rows: readonly TaskRow[], filter: TaskFilter): TaskRow[] {
  const { status, project, kind, session, q } = filter;
  const statuses = status?.split(",").filter((each) => each !== "");
  const words = q
    ?.toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return rows.filter(
    (row) =>
      (!statuses || statuses.some((each) => hasStatus(row, each))) &&
      (project === undefined || isOfProject(row, project)) &&
      (kind === undefined || row.kind === kind) &&
      (session === undefined || row.sessionId === session) &&
      (!words || hasWords(row, words)),
  );
}

function hasStatus(row: TaskRow, status: string): boolean {
  return status === "attention" ? attentionOf(row) !== null : row.state.status === status;
}

function isOfProject({ cwd, projectKey }: TaskRow, project: string): boolean {
  const folder = project.endsWith("/") ? project : `${project}/`;
  return projectKey === project || `${cwd}/`.startsWith(folder);
}

function hasWords(row: TaskRow, words: readonly string[]): boolean {
  const text = [row.id, row.name ?? "", row.description, row.command, row.cwd, row.lastLine]
    .join("\n")
    .toLowerCase();
  return words.every((word) => text.includes(word));
}
