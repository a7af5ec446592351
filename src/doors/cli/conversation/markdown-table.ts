import type { Tokens } from "marked";
import type { Page } from "../render/style.ts";
import { paintSpans, widthOf, wrapSpans, type Span } from "../render/wrap-spans.ts";
import { wrapText } from "../render/wrap-text.ts";
import { inlineSpans } from "./inline-spans.ts";

const GAP = "  ";
/** Columns narrower than this are no table any more; then it is shown as it was written. */
const CELL_COLUMNS_MIN = 6;

/** A table in columns. Where the window is too narrow, the widest cells are wrapped. */
export function markdownTable(table: Tokens.Table, { columns, style }: Page): string[] {
  const header = table.header.map(({ tokens }) => inlineSpans(tokens, style, style.bold));
  const rows = table.rows.map((row) => row.map(({ tokens }) => inlineSpans(tokens, style)));
  const natural = header.map((_, at) =>
    Math.max(1, ...[header, ...rows].map((row) => widthOf(row[at] ?? []))),
  );
  const widths = shrunk(natural, columns - GAP.length * (natural.length - 1));
  if (!widths) return wrapText(table.raw.trimEnd(), columns);
  const line = (row: readonly Span[][]): string[] => rowLines(row, { widths, align: table.align });
  const rule = widths.map((width) => "─".repeat(width)).join(GAP);
  return [...line(header), style.dim(rule), ...rows.flatMap(line)];
}

// The widest columns give way first; undefined when all of them together are too many.
function shrunk(natural: readonly number[], available: number): number[] | undefined {
  if (available < natural.reduce((sum, width) => sum + Math.min(width, CELL_COLUMNS_MIN), 0))
    return undefined;
  let most = Math.max(...natural);
  const total = (): number => natural.reduce((sum, width) => sum + Math.min(width, most), 0);
  while (total() > available) most--;
  return natural.map((width) => Math.min(width, most));
}

interface RowShape {
  widths: readonly number[];
  align: Tokens.Table["align"];
}

function rowLines(row: readonly Span[][], { widths, align }: RowShape): string[] {
  const cells = widths.map((width, at) => wrapSpans(row[at] ?? [], width));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) =>
    cells
      .map((lines, at) => padded(lines[index] ?? [], { width: widths[at]!, align: align[at] ?? null }))
      .join(GAP)
      .trimEnd(),
  );
}

function padded(
  spans: readonly Span[],
  { width, align }: { width: number; align: Tokens.Table["align"][number] },
): string {
  const space = Math.max(0, width - widthOf(spans));
  const before = align === "right" ? space : align === "center" ? Math.floor(space / 2) : 0;
  return " ".repeat(before) + paintSpans(spans) + " ".repeat(space - before);
}
