import { cutEnd, cutStart } from "./cut-text.ts";
import { displayWidth } from "./display-width.ts";
import type { Style } from "./style.ts";

export interface TableColumn<Row> {
  title: string;
  value(row: Row): string;
  isRight?: boolean;
  /** The narrowest it may be cut to; without it, it is never cut. */
  widthMin?: number;
  /** Cuts the beginning away instead of the end. */
  isPath?: boolean;
  /** Where the window is too narrow, columns with a high number go before those with a low one; others stay. */
  dropOrder?: number;
  paint?(text: string, style: Style): string;
}

export interface TableOptions {
  columns: number;
  style: Style;
}

const GAP = 2;

/** A table no line of which is wider than the window: columns are dropped, then cut, never wrapped. */
export function renderTable<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  options: TableOptions,
): string[] {
  const all: Cells<Row>[] = columns.map((column) => {
    const cells = rows.map((row) => column.value(row));
    return { column, cells, natural: Math.max(displayWidth(column.title), ...cells.map(displayWidth)) };
  });
  const kept = chooseColumns(all, options.columns);
  const widths = shareWidth(kept, options.columns);
  const head = line(
    kept,
    widths,
    ({ column }) => column.title,
    (text) => options.style.dim(text),
  );
  const body = rows.map((_, index) =>
    line(
      kept,
      widths,
      ({ cells }) => cells[index] ?? "",
      (text, { column }) => column.paint?.(text, options.style) ?? text,
    ),
  );
  return [head, ...body];
}

interface Cells<Row> {
  column: TableColumn<Row>;
  cells: string[];
  natural: number;
}

function narrowest<Row>({ column, natural }: Cells<Row>): number {
  return column.widthMin === undefined ? natural : Math.min(natural, column.widthMin);
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, widths.length - 1);
}

// Those that must stay, then of the others, the dearest first, each that still fits.
function chooseColumns<Row>(all: Cells<Row>[], available: number): Cells<Row>[] {
  const filled = all.filter(({ cells }) => cells.some((cell) => cell !== ""));
  const chosen = new Set(filled.filter(({ column }) => column.dropOrder === undefined));
  const optional = filled
    .filter(({ column }) => column.dropOrder !== undefined)
    .sort((a, b) => (a.column.dropOrder ?? 0) - (b.column.dropOrder ?? 0));
  for (const cells of optional) {
    if (total([...chosen, cells].map(narrowest)) <= available) chosen.add(cells);
  }
  return filled.filter((cells) => chosen.has(cells));
}

// Every column gets its least, then what is left goes to those that want more, the last one last.
function shareWidth<Row>(kept: Cells<Row>[], available: number): number[] {
  const widths = kept.map(narrowest);
  let left = available - total(widths);
  for (const [index, cells] of kept.entries()) {
    const more = Math.max(0, Math.min(left, cells.natural - (widths[index] ?? 0)));
    widths[index] = (widths[index] ?? 0) + more;
    left -= more;
  }
  // Nothing left to drop: the last column pays, and a window of a few cells shows only ids.
  if (left < 0 && widths.length > 0) widths[widths.length - 1] = Math.max(0, (widths.at(-1) ?? 0) + left);
  return widths;
}

function line<Row>(
  kept: readonly Cells<Row>[],
  widths: readonly number[],
  textOf: (cells: Cells<Row>) => string,
  paint: (text: string, cells: Cells<Row>) => string,
): string {
  const parts = kept.map((cells, index) => {
    const width = widths[index] ?? 0;
    const cut = cells.column.isPath ? cutStart(textOf(cells), width) : cutEnd(textOf(cells), width);
    const padding = " ".repeat(Math.max(0, width - displayWidth(cut)));
    const painted = paint(cut, cells);
    if (cells.column.isRight) return padding + painted;
    return index === kept.length - 1 ? painted : painted + padding;
  });
  return parts.join(" ".repeat(GAP)).trimEnd();
}
