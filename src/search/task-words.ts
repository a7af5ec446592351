import { tasksWordedAtOnce } from "./limits.ts";
import type { DerivedIndex } from "../store/index/derived-index.ts";
import { searchedText } from "./entry-document.ts";
import { indexForm } from "./index-form.ts";
import { toFts } from "./parse-query.ts";
import { redactBlocks } from "./redact-documents.ts";
import type { Wanted } from "./scan-matches.ts";
import type { SearchedTask, SearchedTasks } from "./searched-task.ts";

/**
 * The tasks that may hold what is looked for. The index holds the words of ended tasks, which never change; those that have
 * ended since the last search are taken in first. Where the index cannot be used, all tasks have to be looked through.
 */
export async function findTasks(
  index: DerivedIndex | undefined,
  tasks: SearchedTasks,
  { wanted, matchesMax }: { wanted: Wanted; matchesMax: number },
): Promise<FoundTasks> {
  if (!index || wanted.kind === "regex") return { tasks: tasks.all(), more: 0 };
  const left = await takeIn(index, tasks.unworded());
  const found = left && ask(index, toFts(wanted.query), matchesMax);
  const read = found && tasks.read(found.rows);
  // A row without a task may stand for a task without a row.
  if (!read || read.length < found.rows.length) return { tasks: tasks.all(), more: 0 };
  return { tasks: [...left, ...read], more: found.total - found.rows.length };
}

export interface FoundTasks {
  tasks: readonly SearchedTask[];
  /** How many others hold it, too, but less of it. */
  more: number;
}

/** Undefined when the index cannot be asked, or has lost words; these are taken in by the next search. */
function ask(index: DerivedIndex, query: string, matchesMax: number): TaskRows | undefined {
  if (index.row(IS_MISSING)?.[0] === 1) {
    index.rejectPart(() => void index.run("UPDATE tasks SET worded = 0"));
    return undefined;
  }
  const rows = index.rows(FIND, query, Number.isFinite(matchesMax) ? matchesMax : ALL) as TaskRow[];
  // A question that failed has no rows, and none may be left out for that.
  const total = index.row(COUNT, query)?.[0] as number | undefined;
  return total === undefined || rows.length < Math.min(total, matchesMax) ? undefined : { rows, total };
}

/** What SQLite takes for no limit. */
const ALL = -1;

type TaskRow = [project: string, id: string];

interface TaskRows {
  rows: TaskRow[];
  total: number;
}

const MATCHING = "FROM task_words JOIN tasks ON tasks.rowid = task_words.rowid WHERE task_words MATCH ?";
const FIND = `SELECT project, id ${MATCHING} ORDER BY task_words.rank LIMIT ?`;
const COUNT = `SELECT count(*) ${MATCHING}`;
// There may be more words than tasks: those of removed tasks stay until a task gets their number.
const IS_MISSING = `SELECT (SELECT count(*) FROM task_words_docsize) <
  (SELECT count(*) FROM tasks) - (SELECT count(*) FROM tasks WHERE worded = 0)`;

/**
 * Takes in the words of tasks that have ended: the others, which have to be looked through. Undefined when the index cannot be
 * written. In pieces, so that nobody else waits long for a turn.
 */
async function takeIn(
  index: DerivedIndex,
  tasks: readonly SearchedTask[],
): Promise<SearchedTask[] | undefined> {
  const left = tasks.filter((task) => task.endedAt === undefined);
  const ended = tasks.filter((task) => task.endedAt !== undefined);
  for (let from = 0; from < ended.length; from += tasksWordedAtOnce) {
    const piece = ended.slice(from, from + tasksWordedAtOnce);
    const texts = await redactBlocks(piece.map((task) => task.blocks()));
    const isWritten = index.write(() => {
      for (const [at, task] of piece.entries()) if (!add(index, task, texts[at]!)) left.push(task);
    });
    if (!isWritten) return undefined;
  }
  return left;
}

/** False when the index does not have the task. */
function add(index: DerivedIndex, { project, taskId }: SearchedTask, blocks: readonly string[]): boolean {
  const [row] = index.row("SELECT rowid FROM tasks WHERE project = ? AND id = ?", project, taskId) ?? [];
  if (row === undefined) return false;
  const { parts, whole } = indexForm(searchedText(blocks));
  // A task that was removed may have had the same number.
  index.run("DELETE FROM task_words WHERE rowid = ?", row as number);
  index.run("INSERT INTO task_words (rowid, parts, whole) VALUES (?, ?, ?)", row as number, parts, whole);
  index.run("UPDATE tasks SET worded = 1 WHERE rowid = ?", row as number);
  return true;
}
