import type { Key } from "ink";
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
  | { kind: "end-of-input" };

/**
 * What was pressed. Terminals without bracketed paste, and programs that type, send several characters at once: a line
 * end among them belongs to the text, one behind them is Enter.
 */
export function readChatKeys(input: string, key: Partial<Key>): ChatKey[] {
  if (key.eventType === "release") return [];
  if (key.return) return key.meta || key.shift ? [{ kind: "text", text: "\n" }] : [{ kind: "enter" }];
  if (key.escape) return [{ kind: "escape" }];
  const move = moveOf(input, key);
  if (move) return [{ kind: "move", move }];
  const what = erasureOf(input, key);
  if (what) return [{ kind: "erase", what }];
  if (key.ctrl) return controlKeys(input);
  if (key.meta || key.tab || input === "") return [];
  return textKeys(input);
}

function moveOf(input: string, { ctrl, meta, ...key }: Partial<Key>): EditorMove | undefined {
  if (key.leftArrow) return ctrl || meta ? "word-left" : "left";
  if (key.rightArrow) return ctrl || meta ? "word-right" : "right";
  if (key.upArrow) return "up";
  if (key.downArrow) return "down";
  if (key.home) return "line-start";
  if (key.end) return "line-end";
  if (ctrl) return controlMoves[input];
  return meta ? metaMoves[input] : undefined;
}

// Ctrl+B is none of them here: it puts a query into the background.
const controlMoves: Readonly<Record<string, EditorMove>> = {
  a: "line-start",
  e: "line-end",
  f: "right",
  p: "up",
  n: "down",
};
const metaMoves: Readonly<Record<string, EditorMove>> = { b: "word-left", f: "word-right" };

function erasureOf(input: string, { ctrl, meta, ...key }: Partial<Key>): EditorErasure | undefined {
  if (key.backspace) return meta || ctrl ? "word-before" : "before";
  if (key.delete) return "after";
  return ctrl ? controlErasures[input] : undefined;
}

const controlErasures: Readonly<Record<string, EditorErasure>> = {
  h: "before",
  w: "word-before",
  u: "line-before",
  k: "line-after",
};

function controlKeys(input: string): ChatKey[] {
  switch (input) {
    case "b":
      return [{ kind: "background" }];
    case "c":
      return [{ kind: "interrupt" }];
    case "d":
      return [{ kind: "end-of-input" }];
    case "j":
      return [{ kind: "text", text: "\n" }];
    default:
      return [];
  }
}

// Several control keys may come in one piece, when they are pressed faster than they are read.
function textKeys(input: string): ChatKey[] {
  const pieces = input.match(/[\u0002\u0004]|[^\u0002\u0004]+/g) ?? [];
  return pieces.flatMap((piece): ChatKey[] => {
    if (piece === "\u0002") return [{ kind: "background" }];
    if (piece === "\u0004") return [{ kind: "end-of-input" }];
    if (!/[\r\n]$/.test(piece)) return [{ kind: "text", text: piece }];
    const text = piece.replace(/[\r\n]+$/, "");
    return text === "" ? [{ kind: "enter" }] : [{ kind: "text", text }, { kind: "enter" }];
  });
}
