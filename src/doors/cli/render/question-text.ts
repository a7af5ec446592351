import { questionLines, type AskedTool, type QuestionLine } from "../../../conversation/question-lines.ts";
import { plural } from "../../../lib/quantities.ts";
import { cutEnd } from "./cut-text.ts";
import type { Page, Style } from "./style.ts";
import { wrapLine } from "./wrap-text.ts";

/** What a tool would do, line by line. */
export function questionText(asked: AskedTool, style: Style): string[] {
  return questionLines(asked).map((line) => paintOf(line, style)(line.text));
}

/**
 * The same in so many columns and rows. Long lines are broken, because their end is part of the question; where there are
 * too many, the person who answers must see that there is more.
 */
export function questionRows(
  asked: AskedTool,
  { columns, style, rowsMax, restBy = "" }: Page & { rowsMax: number; restBy?: string },
): string[] {
  const lines = linesOf(asked);
  const rows = lines
    .slice(0, rowsMax + 1)
    .flatMap((line) =>
      wrapLine(line.text, Math.max(10, columns)).map((text) => paintOf(line, style)(cutEnd(text, columns))),
    );
  const count = rows.length + Math.max(0, lines.length - rowsMax - 1);
  if (count <= rowsMax) return rows;
  const rest = `… ${plural(count - rowsMax + 1, "more line")}${restBy}`;
  return [...rows.slice(0, rowsMax - 1), cutEnd(rest, columns)];
}

// A screen is drawn many times while a question stands there.
const known = new WeakMap<AskedTool, QuestionLine[]>();

function linesOf(asked: AskedTool): QuestionLine[] {
  const lines = known.get(asked) ?? questionLines(asked);
  known.set(asked, lines);
  return lines;
}

export function paintOf({ kind }: QuestionLine, style: Style): (text: string) => string {
  switch (kind) {
    case "added":
      return style.green;
    case "removed":
      return style.red;
    case "file":
      return style.bold;
    case "note":
      return style.dim;
    case "command":
    case "content":
    case "context":
    case "argument":
      return (text) => text;
  }
}
