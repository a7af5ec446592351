import { terminalLine } from "../../../../lib/terminal-text.ts";
import { findPrompts } from "../state/find-prompts.ts";
import type { ChatState, ChatTask, Overlay, SessionChoice } from "../state/chat-state.ts";
import { cutEnd } from "../../render/cut-text.ts";
import { formatAge, formatCount, plural } from "../../../../lib/quantities.ts";
import { displayWidth } from "../../render/display-width.ts";
import { expandTabs } from "../../render/expand-tabs.ts";
import { questionRows } from "../../render/question-text.ts";
import { keysLine } from "../../screen/keys-line.ts";
import type { ViewWindow } from "./view-window.ts";

/** What stands in place of the conversation's end until it is closed. */
export function overlayLines(
  state: ChatState,
  overlay: Overlay,
  window: ViewWindow,
  rowsMax: number,
): string[] {
  const { style, columns } = window;
  const [title, body, keys] = parts(state, overlay, { ...window, rows: rowsMax - 2 });
  return [
    style.bold(cutEnd(title, columns)),
    ...body.slice(0, Math.max(1, rowsMax - 2)),
    style.dim(keysLine(keys, columns)),
  ];
}

/** A title, lines, and what keys do. */
type Parts = [string, string[], string[]];

function parts(state: ChatState, overlay: Overlay, window: ViewWindow): Parts {
  const { columns } = window;
  switch (overlay.kind) {
    case "tasks":
      return state.tasks.length === 0
        ? ["Tasks", [cutEnd("  Nothing runs in the background.", columns)], ["Esc closes"]]
        : [
            "Tasks",
            listLines(state.tasks, overlay.selected, window, taskCells(window)),
            ["Enter opens it", "s stops it", "Esc closes"],
          ];
    case "sessions":
      return overlay.sessions.length === 0
        ? ["Resume", [cutEnd("  No conversations in this project yet.", columns)], ["Esc closes"]]
        : [
            "Resume",
            listLines(overlay.sessions, overlay.selected, window, sessionCells(window)),
            ["Enter continues it", "Esc closes"],
          ];
    case "look":
      return lookParts(overlay, window);
    case "history": {
      const found = findPrompts(state.editor.history, overlay.query);
      const body = listLines(found, overlay.selected, window, (prompt) => ({
        fixed: "",
        rest: terminalLine(prompt),
      }));
      return [
        `Search earlier prompts: ${terminalLine(overlay.query)}`,
        found.length === 0 ? [cutEnd("  Nothing matches.", columns)] : body,
        ["Enter puts it into the prompt", "↑ ↓ others", "Esc closes"],
      ];
    }
    case "result":
      return resultParts(overlay, window);
  }
}

function resultParts(
  { title, lines, top }: Extract<Overlay, { kind: "result" }>,
  { columns, rows }: ViewWindow,
): Parts {
  const shown = lines.slice(top, top + Math.max(1, rows));
  const where = `${formatCount(top + 1)}–${formatCount(top + shown.length)} of ${plural(lines.length, "line")}`;
  return [
    title,
    shown.map((line) => `  ${cutEnd(line, columns - 2)}`),
    [where, "↑ ↓ PgUp PgDn scroll", "← → other results", "Esc closes"],
  ];
}

function lookParts({ task, lines }: Extract<Overlay, { kind: "look" }>, window: ViewWindow): Parts {
  const { columns, rows } = window;
  const asked = task.question === undefined ? [] : questionIn(task.question, window, Math.max(2, rows - 1));
  const said = lines.length === 0 ? ["(nothing yet)"] : lines.slice(-Math.max(1, rows - asked.length));
  const keys = task.question === undefined ? [] : ["y allow", "n deny", "a always"];
  return [
    `${task.id}  ${terminalLine(task.label)}`,
    [...said.map((line) => cutEnd(expandTabs(line), columns - 2)), ...asked].map((line) => `  ${line}`),
    [...keys, "s stops it", "any other key goes back"],
  ];
}

function questionIn(
  question: NonNullable<ChatTask["question"]>,
  { columns, style }: ViewWindow,
  rowsMax: number,
): string[] {
  const rows = { columns: columns - 6, style, rowsMax: rowsMax - 1, restBy: ": holdfast inspect" };
  return [
    cutEnd(`? ${terminalLine(question.title)}`, columns - 2),
    ...questionRows(question, rows).map((line) => `    ${line}`),
  ];
}

type Cells<Row> = (row: Row) => { fixed: string; rest: string };

function listLines<Row>(
  rows: readonly Row[],
  selected: number,
  window: ViewWindow,
  cells: Cells<Row>,
): string[] {
  const { columns, rows: room, style } = window;
  const chosen = Math.min(selected, rows.length - 1);
  const first = Math.max(0, Math.min(chosen - Math.floor(room / 2), rows.length - room));
  return rows.slice(first, first + room).map((row, index) => {
    const { fixed, rest } = cells(row);
    const lead = fixed === "" ? "" : `${fixed}  `;
    const line = cutEnd(`${lead}${cutEnd(rest, Math.max(0, columns - displayWidth(lead) - 2))}`, columns - 2);
    return first + index === chosen ? `${style.cyan("❯")} ${style.bold(line)}` : `  ${line}`;
  });
}

function taskCells({ nowMs }: ViewWindow): Cells<ChatTask> {
  return ({ id, status, needsInput, label, startedAt }) => ({
    fixed: `${id}  ${needsInput ? "needs input" : status}  ${formatAge(startedAt, new Date(nowMs))}`,
    rest: terminalLine(label),
  });
}

function sessionCells({ nowMs }: ViewWindow): Cells<SessionChoice> {
  return ({ id, updatedAt, title }) => ({
    fixed: `${id.slice(0, 8)}  ${formatAge(updatedAt, new Date(nowMs)).padStart(4)}`,
    rest: terminalLine(title),
  });
}
