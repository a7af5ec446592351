import { plural } from "../../../lib/quantities.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";
import type { ListedTask } from "../../../tasks/list/listed-task.ts";
import type { Environment } from "../environment.ts";
import { cutEnd } from "../render/cut-text.ts";
import { questionRows } from "../render/question-text.ts";
import type { Page } from "../render/style.ts";
import { keysLine } from "../screen/keys-line.ts";
import { listWindow } from "../screen/list-window.ts";
import { taskTable } from "../tasks/task-table.ts";
import { questionOf, selectedTask, shownTasks, type TopState } from "./top-state.ts";

interface TopWindow {
  columns: number;
  rows: number;
  environment: Environment;
}

const LIST_AND_QUESTION_ROWS = 8;
const KEYS = ["↑↓ choose", "f follow", "s stop", "a all", "/ search", "q quit"];
const FOLLOWING_KEYS = ["↑↓ choose", "f list", "s stop", "/ search", "q quit"];
const ASKED_KEYS = ["y allow", "n deny"];
/** What a narrow window does not name, in this order: the answers and the way out stay. */
const UNNAMED_FIRST = ["a all", "/ search", "f follow", "f list", "s stop", "↑↓ choose"];

/** Tasks above, what the selected one asks and says below; or that alone. Exactly as many lines as the window has. */
export function topLines(state: TopState, window: TopWindow): string[] {
  const { columns, rows, environment } = window;
  const { style } = environment.stdout;
  const room = Math.max(1, rows - 2);
  const task = selectedTask(state);
  const listed = shownTasks(state);
  // A low window shows the question rather than the list: keys answer it.
  const isAlone = state.isFollowing || (questionOf(task) !== undefined && room < LIST_AND_QUESTION_ROWS);
  const listRows = isAlone ? 0 : Math.min(listed.length + 1, Math.max(3, Math.floor(room / 2)));
  const moves = state.isFollowing ? FOLLOWING_KEYS : KEYS;
  const keys = keysLine(questionOf(task) ? [...ASKED_KEYS, ...moves] : moves, columns, UNNAMED_FIRST);
  const bottom = state.isTyping ? `/${state.filter}▏` : state.message || keys;
  const paint = state.isTyping || state.message ? style.yellow : style.dim;
  const above = [
    style.bold(cutEnd(heading(state, listed), columns)),
    ...listLines(state, listed, { ...window, rows: listRows }),
  ];
  const body = [...above, ...paneLines(state, task, { ...window, rows: room - above.length + 1 })];
  return [...padded(body, rows - 1), paint(cutEnd(bottom, columns))];
}

function heading({ tasks, filter, isAll }: TopState, listed: readonly ListedTask[]): string {
  const running = tasks.filter(({ state }) => state.status === "running").length;
  const asking = tasks.filter(questionOf).length;
  const facts = [
    running === 0 ? "Nothing runs" : `${running} running`,
    asking === 0 ? "" : plural(asking, "question"),
    isAll ? `${tasks.length} in all` : "",
    filter === "" ? "" : `${listed.length} with "${terminalLine(filter)}"`,
  ];
  return `holdfast top: ${facts.filter(Boolean).join(", ")}`;
}

function listLines(
  state: TopState,
  listed: readonly ListedTask[],
  { columns, rows, environment }: TopWindow,
): string[] {
  if (rows === 0 || listed.length === 0) return [];
  const { stdout } = environment;
  const chosen = listed.findIndex(({ id }) => id === selectedTask(state)?.id);
  const { first, end } = listWindow({ count: listed.length, selected: chosen, room: rows - 1 });
  const page = { ...environment, stdout: { ...stdout, columns: columns - 2 } };
  const [header = "", ...lines] = taskTable(listed.slice(first, end), { environment: page, isAll: true });
  const mark = (line: string, at: number): string =>
    first + at === chosen ? `${stdout.style.cyan("❯")} ${line}` : `  ${line}`;
  return [`  ${header}`, ...lines.map(mark)];
}

// A question comes before everything that was said: somebody waits.
function paneLines(
  { said }: TopState,
  task: ListedTask | undefined,
  { columns, rows, environment }: TopWindow,
): string[] {
  const { style } = environment.stdout;
  if (!task || rows < 3) return [];
  const title = `── ${task.id} ${terminalLine(task.name ?? task.description)} `;
  const rule = style.dim(cutEnd(title + "─".repeat(columns), columns).replace(/…$/, "─"));
  const room = rows - 1;
  const asked = askedLines(task, { columns, style, rowsMax: room });
  const left = room - asked.length;
  return [rule, ...(left > 0 ? said.slice(-left) : []), ...asked];
}

function askedLines(task: ListedTask, { columns, style, rowsMax }: Page & { rowsMax: number }): string[] {
  const question = questionOf(task);
  if (!question) return [];
  const rows = { columns: columns - 4, style, rowsMax: rowsMax - 1, restBy: `: holdfast inspect ${task.id}` };
  return [
    style.yellow(cutEnd(`? ${terminalLine(question.title)}`, columns)),
    ...questionRows(question, rows).map((line) => `    ${line}`),
  ];
}

function padded(lines: readonly string[], count: number): string[] {
  return [...lines.slice(0, count), ...Array.from({ length: Math.max(0, count - lines.length) }, () => "")];
}
