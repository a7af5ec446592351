import type { Key } from "node:readline";
import type { EditorErasure, EditorMove } from "./editor.ts";

/** A key of the chat, whatever bytes the terminal sent for it. */
export type ChatKey =
  | { kind: "text"; text: string }
  | { kind: "move"; move: EditorMove }
  | { kind: "erase"; what: EditorErasure }
  | { kind: "enter" }
  | { kind: "escape" }
  | { kind: "interrupt" }
  | { kind: "background" }
  | { kind: "ask-aside" }
  | { kind: "end-of-input" }
  | { kind: "complete" }
  | { kind: "undo" }
  | { kind: "yank" }
  | { kind: "search-history" }
  | { kind: "external-editor" }
  | { kind: "unfold" }
  | { kind: "page"; by: -1 | 1 };

/** A key as Node reads it. */
export type Keypress = Key;

/**
 * Characters that came together. Terminals without bracketed paste, and programs that type, send several at once: a line
 * end or a tab among them belongs to the text, one behind them is a key.
 */
export function readTyped(typed: string): ChatKey[] {
  if (typed === "") return [];
  if (typed.endsWith("\t")) return [...readTyped(typed.slice(0, -1)), { kind: "complete" }];
  // Ctrl+J.
  if (typed === "\n") return [{ kind: "text", text: typed }];
  if (!/[\r\n]$/.test(typed)) return [{ kind: "text", text: typed }];
  const text = typed.replace(/[\r\n]+$/, "");
  return text === "" ? [{ kind: "enter" }] : [{ kind: "text", text }, { kind: "enter" }];
}

/** Any other key; undefined when it means nothing here. */
export function readKey(key: Keypress): ChatKey | undefined {
  if (key.name === "return" || shiftedEnter.test(key.sequence ?? "")) return { kind: "text", text: "\n" };
  if (key.name === "escape") return { kind: "escape" };
  if (key.sequence === CONTROL_UNDERSCORE) return { kind: "undo" };
  if (key.name === "pageup" || key.name === "pagedown")
    return { kind: "page", by: key.name === "pageup" ? -1 : 1 };
  const move = moveOf(key);
  if (move) return { kind: "move", move };
  const what = erasureOf(key);
  if (what) return { kind: "erase", what };
  return key.ctrl ? controlKeys[key.name ?? ""] : undefined;
}

/** What terminals send for Ctrl+_ and Ctrl+/; Node has no name for it. */
export const CONTROL_UNDERSCORE = "\u001f";

// By the keyboard protocol of kitty, which terminals can be set up to use for this key.
const shiftedEnter = /^\u001b\[13;[2-4]u$/;

function moveOf({ name = "", ctrl, meta }: Keypress): EditorMove | undefined {
  if (name === "left" || name === "right") return ctrl || meta ? `word-${name}` : name;
  return moves[name] ?? (ctrl ? controlMoves[name] : meta ? metaMoves[name] : undefined);
}

const moves: Readonly<Record<string, EditorMove>> = {
  up: "up",
  down: "down",
  home: "line-start",
  end: "line-end",
};
// Ctrl+B is none of them here: it puts a query into the background.
const controlMoves: Readonly<Record<string, EditorMove>> = {
  a: "line-start",
  e: "line-end",
  f: "right",
  p: "up",
  n: "down",
};
const metaMoves: Readonly<Record<string, EditorMove>> = { b: "word-left", f: "word-right" };

function erasureOf({ name = "", ctrl, meta }: Keypress): EditorErasure | undefined {
  if (name === "backspace") return meta || ctrl ? "word-before" : "before";
  if (name === "delete") return "after";
  return ctrl ? controlErasures[name] : meta && name === "d" ? "word-after" : undefined;
}

const controlErasures: Readonly<Record<string, EditorErasure>> = {
  w: "word-before",
  u: "line-before",
  k: "line-after",
};

const controlKeys: Readonly<Record<string, ChatKey>> = {
  b: { kind: "background" },
  c: { kind: "interrupt" },
  d: { kind: "end-of-input" },
  g: { kind: "external-editor" },
  o: { kind: "unfold" },
  r: { kind: "search-history" },
  s: { kind: "ask-aside" },
  y: { kind: "yank" },
};
