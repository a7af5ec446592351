import { terminalLine } from "../../../lib/terminal-text.ts";
import { slashCommands } from "../state/slash-command.ts";
import type { ChatState, ChatTask, Overlay, SessionChoice } from "../state/chat-state.ts";
import { cutEnd } from "../../render/cut-text.ts";
import { formatAge } from "../../render/quantities.ts";
import { displayWidth } from "../../render/display-width.ts";
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
    style.dim(cutEnd(keys, columns)),
  ];
}

function parts(state: ChatState, overlay: Overlay, window: ViewWindow): [string, string[], string] {
  switch (overlay.kind) {
    case "tasks":
      return state.tasks.length === 0
        ? ["Tasks", ["  Nothing runs in the background."], "Esc closes"]
        : [
            "Tasks",
            listLines(state.tasks, overlay.selected, window, taskCells(window)),
            "Enter looks or brings to the front · s stops · Esc closes",
          ];
    case "sessions":
      return overlay.sessions.length === 0
        ? ["Resume", ["  No conversations in this project yet."], "Esc closes"]
        : [
            "Resume",
            listLines(overlay.sessions, overlay.selected, window, sessionCells(window)),
            "Enter goes on with it · Esc closes",
          ];
    case "look": {
      const { task, lines } = overlay;
      const shown = lines.length === 0 ? ["(nothing yet)"] : lines.slice(-Math.max(1, window.rows));
      const title = `${task.id}  ${terminalLine(task.label)}`;
      return [
        title,
        shown.map((line) => `  ${cutEnd(line, window.columns - 2)}`),
        "s stops · any key goes back",
      ];
    }
    case "help":
      return ["Commands and keys", helpLines(window), "Any key closes"];
  }
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
    const line = cutEnd(
      `${fixed}  ${cutEnd(rest, Math.max(0, columns - displayWidth(fixed) - 4))}`,
      columns - 2,
    );
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

const keys: readonly [string, string][] = [
  ["Ctrl+B twice", "put the running query into the background"],
  ["Ctrl+C", "interrupt; twice: leave"],
  ["Alt+Enter, \\ Enter", "a new line"],
  ["↑ ↓", "earlier prompts"],
];

function helpLines({ columns, style }: ViewWindow): string[] {
  const commands = slashCommands.map(({ name, argument, text }): [string, string] => [
    `/${name}${argument ? ` ${argument}` : ""}`,
    text,
  ]);
  const rows = [...commands, ...keys];
  const width = Math.max(...rows.map(([left]) => displayWidth(left)));
  return rows.map(([left, text]) => {
    const padded = left.padEnd(width);
    return `  ${style.cyan(padded)}  ${cutEnd(text, Math.max(0, columns - width - 4))}`;
  });
}
