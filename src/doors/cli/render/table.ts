import { cutEnd, cutStart } from "./cut-text.ts";
import { displayWidth, displayWidths } from "./display-width.ts";
import { isPlain, type Page, type Style } from "./style.ts";

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
  paint?: keyof Style | ((text: string) => keyof Style);
}

const GAP = 2;
const BETWEEN = " ".repeat(GAP);

/**
 * A table no line of which is wider than the window: columns are dropped, then cut, never wrapped. Each line is made when it
 * is asked for, because those of a long table would fill memory.
 */
export function* renderTable<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  options: Page,
): Generator<string> {
  const all: Cells<Row>[] = columns.map((column, index) => {
    const cells = [column.title];
    for (const row of rows) cells.push(column.value(row));
    // The end of an endless line is neither cut nor padded, so thousands of titles need not be measured.
    const isEnd = options.columns === Infinity && index === columns.length - 1 && !column.isRight;
    const widths = isEnd ? [0] : displayWidths(cells);
    return { column, cells, widths, natural: widths.reduce((most, width) => Math.max(most, width)) };
  });
  // Where there is no colour, nothing need be painted.
  const style = isPlain(options.style) ? undefined : options.style;
  const kept = chooseColumns(all, options.columns);
  const room = shareWidth(kept, options.columns);
  for (let index = 0; index <= rows.length; index++) yield line(kept, { index, room, style });
}

const TITLES = 0;

interface Cells<Row> {
  column: TableColumn<Row>;
  /** The title first. */
  cells: string[];
  /** Of each cell, in cells of a terminal. */
  widths: number[];
  natural: number;
}

function narrowest<Row>({ column, natural }: Cells<Row>): number {
  return column.widthMin === undefined ? natural : Math.min(natural, column.widthMin);
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, widths.length - 1);
}

// The columns that must stay, then the others by importance, as long as they fit.
function chooseColumns<Row>(all: Cells<Row>[], available: number): Cells<Row>[] {
  const filled = all.filter(({ cells }) => cells.some((cell, index) => cell !== "" && index !== TITLES));
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
  { index, room, style }: { index: number; room: readonly number[]; style: Style | undefined },
): string {
  let text = "";
  for (let at = 0; at < kept.length; at++) {
    const { column, cells, widths } = kept[at]!;
    const width = room[at] ?? 0;
    let cell = cells[index] ?? "";
    let padding = width - (widths[index] ?? 0);
    if (padding < 0) {
      cell = column.isPath ? cutStart(cell, width) : cutEnd(cell, width);
      padding = width - displayWidth(cell);
    }
    const paint = index === TITLES ? "dim" : column.paint;
    const painted = style && paint ? style[typeof paint === "string" ? paint : paint(cell)](cell) : cell;
    const length = painted.length + padding;
    if (at > 0) text += BETWEEN;
    text += column.isRight ? painted.padStart(length) : painted.padEnd(length);
  }
  return text.trimEnd();
}
