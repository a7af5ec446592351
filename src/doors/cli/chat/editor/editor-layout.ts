import { displayWidth, graphemes } from "../../render/display-width.ts";
import { expandTabs } from "../../render/expand-tabs.ts";

export interface EditorLayout {
  rows: string[];
  /** The cell of the cursor, in these rows. */
  cursor: { row: number; column: number };
}

/** The text in rows of a width, and where the cursor is in them; of a long text only the rows around the cursor. */
export function layOutEditor(
  editor: { text: string; cursor: number },
  { columns, rowsMax }: { columns: number; rowsMax: number },
): EditorLayout {
  const { lines, cursor } = linesAround(editor, rowsMax);
  const rows = [""];
  let used = 0;
  let at = { row: 0, column: 0 };
  let offset = 0;
  const breakRow = (): void => {
    rows.push("");
    used = 0;
  };
  const markCursor = (): void => {
    // A cursor behind the last cell of a row stands at the beginning of the next.
    if (offset === cursor && used >= columns) breakRow();
    if (offset === cursor) at = { row: rows.length - 1, column: used };
  };
  for (const [index, line] of lines.entries()) {
    if (index > 0) {
      breakRow();
      offset += 1;
    }
    markCursor();
    for (const piece of graphemes(line)) {
      const shown = expandTabs(piece);
      const width = displayWidth(shown);
      if (used > 0 && used + width > columns) {
        breakRow();
        markCursor();
      }
      rows[rows.length - 1] += shown;
      used += width;
      offset += piece.length;
      markCursor();
    }
  }
  const first = Math.max(0, at.row - rowsMax + 1);
  return {
    rows: rows.slice(first, first + rowsMax),
    cursor: { row: at.row - first, column: at.column },
  };
}

// A pasted file has thousands of lines, and at every key only those around the cursor matter.
function linesAround(
  { text, cursor }: { text: string; cursor: number },
  count: number,
): { lines: string[]; cursor: number } {
  const before = text.slice(0, cursor).split("\n");
  const skipped = before.slice(0, Math.max(0, before.length - count - 1));
  const start = skipped.reduce((offset, line) => offset + line.length + 1, 0);
  const lines = text.slice(start).split("\n", 2 * count + 1);
  return { lines, cursor: cursor - start };
}
