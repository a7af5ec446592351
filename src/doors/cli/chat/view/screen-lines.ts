import { terminalLine } from "../../../../lib/terminal-text.ts";
import { frontThread, PRESSED_AGAIN_MS, type ChatState } from "../state/chat-state.ts";
import { cutEnd } from "../../render/cut-text.ts";
import { completionLines } from "./completion-lines.ts";
import { editorView } from "./editor-lines.ts";
import { headerLine } from "./header-line.ts";
import { overlayLines } from "./overlay-lines.ts";
import { permissionLines } from "./permission-lines.ts";
import { queryLines } from "./query-lines.ts";
import { taskLine } from "./task-line.ts";
import { todoLines } from "./todo-lines.ts";
import type { ViewWindow } from "./view-window.ts";

export interface ScreenView {
  lines: string[];
  /** The cell of the terminal's cursor in these lines. */
  cursor: { x: number; y: number };
}

/** Rows that a prompt may take before it scrolls, and a plan before it is cut. */
const EDITOR_ROWS = 8;
const TODO_ROWS = 7;
const QUEUED_ROWS = 3;
/** More choices are scrolled through. */
const COMPLETION_ROWS = 6;

/**
 * The part of the screen that changes, below what was printed: always lower than the window, because what is as high
 * as the window cannot be drawn over again.
 */
export function screenView(state: ChatState, window: ViewWindow): ScreenView {
  const { rows } = window;
  const thread = frontThread(state);
  const bottom = bottomLines(state, window).slice(0, Math.max(1, Math.floor(rows / 3)));
  const editor = editorView(state.editor, window, {
    rowsMax: Math.max(1, Math.min(EDITOR_ROWS, Math.floor(rows / 3))),
    placeholder: placeholderOf(state),
  });
  const room = Math.max(1, rows - editor.lines.length - bottom.length - 2);
  const above = state.overlay
    ? overlayLines(state, state.overlay, window, room)
    : conversationLines(state, window, room);
  const top = above.length > 0 || thread.items.length > 0 ? ["", ...above] : above;
  const lines = [...top, ...editor.lines, ...bottom];
  // A window of a few rows shows the prompt rather than what is above it.
  const cut = Math.max(0, lines.length - rows + 1);
  return {
    lines: lines.slice(cut),
    cursor: { x: editor.cursor.column, y: top.length + editor.cursor.row - cut },
  };
}

// A question that waits comes before everything else, then the query, then the plan.
function conversationLines(state: ChatState, window: ViewWindow, room: number): string[] {
  const { query, asked, todos, queued } = frontThread(state);
  const isTyping = state.editor.text !== "";
  const question = permissionLines(asked, window, { rowsMax: room, isTyping });
  const waiting = queued
    .slice(-QUEUED_ROWS)
    .map((text) => window.style.dim(cutEnd(`  queued: ${terminalLine(text)}`, window.columns)));
  let left = room - question.length - waiting.length;
  // What is not being worked on is no plan.
  const plan = query ? todoLines(todos, window, Math.min(TODO_ROWS, left - 3)) : [];
  left -= plan.length;
  const live = query && left > 0 ? queryLines(query, window, left).slice(-left) : [];
  return [...live, ...plan, ...waiting, ...question].slice(-room);
}

// What could be typed is next to where it is typed.
function bottomLines(state: ChatState, window: ViewWindow): string[] {
  const { armed, completion, header } = state;
  const rowsMax = Math.min(COMPLETION_ROWS, Math.floor(window.rows / 4));
  const choices = completion && !state.overlay ? completionLines(completion, window, rowsMax) : [];
  const about = header ? [headerLine(header, frontThread(state).usage ?? {}, window)] : [];
  const isFresh = armed && window.nowMs - armed.atMs <= PRESSED_AGAIN_MS[armed.key];
  const hint = isFresh ? [window.style.yellow(cutEnd(hints[armed.key], window.columns))] : [];
  const tasks = taskLine(state.tasks, window);
  return [...choices, ...hint, ...about, ...(tasks === undefined ? [] : [tasks])];
}

const hints = {
  background: "Press Ctrl+B again to put this query into the background",
  exit: "Press Ctrl+C again to quit",
} as const;

function placeholderOf(state: ChatState): string {
  const { query, items } = frontThread(state);
  if (query) return "Say more; the agent gets it at its next turn";
  return items.every(({ kind }) => kind === "notice") ? "Ask anything. /help shows keys and commands" : "";
}
