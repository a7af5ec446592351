import { layOutEditor } from "../editor/editor-layout.ts";
import type { Editor } from "../editor/editor.ts";
import { cutEnd } from "../../render/cut-text.ts";
import type { ViewWindow } from "./view-window.ts";

export interface EditorView {
  lines: string[];
  cursor: { row: number; column: number };
}

const PROMPT = "❯ ";

/** The prompt between two rules; `placeholder` stands there while nothing is typed. */
export function editorView(
  editor: Editor,
  { columns, style }: ViewWindow,
  { rowsMax, placeholder }: { rowsMax: number; placeholder: string },
): EditorView {
  const { rows, cursor } = layOutEditor(editor, {
    columns: Math.max(1, columns - PROMPT.length - 1),
    rowsMax,
  });
  const rule = style.dim("─".repeat(columns));
  const lines = rows.map((row, index) => `${index === 0 ? style.cyan(PROMPT) : "  "}${row}`);
  if (editor.text === "") lines[0] += style.dim(cutEnd(placeholder, columns - PROMPT.length - 1));
  return {
    lines: [rule, ...lines, rule],
    cursor: { row: cursor.row + 1, column: cursor.column + PROMPT.length },
  };
}
