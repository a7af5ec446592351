import { chatHistoryMax } from "../limits.ts";
import { terminalText } from "../../../../lib/terminal-text.ts";
import { graphemes } from "../../render/display-width.ts";

/** The prompt that is being typed. The cursor never stands inside what a terminal shows as one character. */
export interface Editor {
  text: string;
  /** In UTF-16 units, from the beginning. */
  cursor: number;
  /** Earlier prompts, oldest first. */
  history: readonly string[];
  /** Which of them is shown, and what was being typed before. */
  recalled?: { index: number; draft: string };
}

export type EditorMove =
  | "left"
  | "right"
  | "word-left"
  | "word-right"
  | "line-start"
  | "line-end"
  | "up"
  | "down";

export type EditorErasure = "before" | "after" | "word-before" | "word-after" | "line-before" | "line-after";

export function emptyEditor(history: readonly string[]): Editor {
  return { text: "", cursor: 0, history };
}

/** Puts text at the cursor. What a terminal would obey is left out: the text is shown as it is kept. */
export function insertText(editor: Editor, text: string): Editor {
  const clean = terminalText(text);
  const { text: before, cursor } = editor;
  return edited(editor, before.slice(0, cursor) + clean + before.slice(cursor), cursor + clean.length);
}

export function eraseText(editor: Editor, what: EditorErasure): Editor {
  const { text, cursor } = editor;
  const [from, to] = {
    before: [previousAt(text, cursor), cursor],
    after: [cursor, nextAt(text, cursor)],
    "word-before": [wordStart(text, cursor), cursor],
    "word-after": [cursor, wordEnd(text, cursor)],
    "line-before": [lineStart(text, cursor), cursor],
    "line-after": [cursor, lineEnd(text, cursor)],
  }[what] as [number, number];
  if (from === to) return editor;
  return edited(editor, text.slice(0, from) + text.slice(to), from);
}

/** Up and down go through the lines, and beyond the first and the last through earlier prompts. */
export function moveCursor(editor: Editor, move: EditorMove): Editor {
  const { text, cursor } = editor;
  switch (move) {
    case "left":
      return { ...editor, cursor: previousAt(text, cursor) };
    case "right":
      return { ...editor, cursor: nextAt(text, cursor) };
    case "word-left":
      return { ...editor, cursor: wordStart(text, cursor) };
    case "word-right":
      return { ...editor, cursor: wordEnd(text, cursor) };
    case "line-start":
      return { ...editor, cursor: lineStart(text, cursor) };
    case "line-end":
      return { ...editor, cursor: lineEnd(text, cursor) };
    case "up":
      return lineStart(text, cursor) === 0 ? recall(editor, -1) : moveByLine(editor, -1);
    case "down":
      return lineEnd(text, cursor) === text.length ? recall(editor, 1) : moveByLine(editor, 1);
  }
}

/** Another prompt in place of this one. */
export function replaceText(editor: Editor, text: string): Editor {
  return insertText(emptyEditor(editor.history), text);
}

/** An empty editor that remembers what was in this one. */
export function submitted({ text, history }: Editor): Editor {
  return emptyEditor(history.at(-1) === text ? history : [...history, text].slice(-chatHistoryMax));
}

// What was inserted or is left may join with what stands beside it.
function edited({ history }: Editor, text: string, cursor: number): Editor {
  return { text, cursor: characterStart(text, cursor), history };
}

function recall(editor: Editor, by: -1 | 1): Editor {
  const { history, text, recalled = { index: history.length, draft: text } } = editor;
  const index = recalled.index + by;
  if (index < 0 || index > history.length) return editor;
  const shown = index === history.length ? recalled.draft : history[index]!;
  const back = { text: shown, cursor: shown.length, history };
  return index === history.length ? back : { ...back, recalled: { index, draft: recalled.draft } };
}

// To the same place in the other line, counted in characters.
function moveByLine(editor: Editor, by: -1 | 1): Editor {
  const { text, cursor } = editor;
  const start = lineStart(text, cursor);
  const column = [...graphemes(text.slice(start, cursor))].length;
  const target = by < 0 ? lineStart(text, start - 1) : lineEnd(text, cursor) + 1;
  const pieces = [...graphemes(text.slice(target, lineEnd(text, target)))].slice(0, column);
  return { ...editor, cursor: target + pieces.join("").length };
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function previousAt(text: string, at: number): number {
  if (at === 0) return 0;
  const start = lineStart(text, at);
  if (start === at) return at - 1;
  const last = [...graphemes(text.slice(start, at))].at(-1) ?? "";
  return at - last.length;
}

function nextAt(text: string, at: number): number {
  if (at >= text.length) return text.length;
  if (text[at] === "\n") return at + 1;
  const [first = ""] = graphemes(text.slice(at, lineEnd(text, at)));
  return at + first.length;
}

function wordStart(text: string, at: number): number {
  return characterStart(
    text,
    /(?:[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}_]+)?\s*$/u.exec(text.slice(0, at))?.index ?? 0,
  );
}

function wordEnd(text: string, at: number): number {
  const passed = /^\s*(?:[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}_]+)?/u.exec(text.slice(at))?.[0] ?? "";
  const end = at + passed.length;
  const start = characterStart(text, end);
  return start === end ? end : nextAt(text, start);
}

// Where the character begins in which this place is; the place itself when it is between two.
function characterStart(text: string, at: number): number {
  let start = lineStart(text, at);
  for (const piece of graphemes(text.slice(start, lineEnd(text, at)))) {
    if (start + piece.length > at) break;
    start += piece.length;
  }
  return start;
}
