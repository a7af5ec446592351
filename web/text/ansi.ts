/** A piece of a line, and the classes that its colours have. */
export interface Run {
  text: string;
  classes: string;
}

export interface AnsiState {
  fg: number | undefined;
  bg: number | undefined;
  marks: ReadonlySet<number>;
}

export const plainState: AnsiState = { fg: undefined, bg: undefined, marks: new Set() };

// Colours, then every other escape sequence, then controls that are none of a text.
const ESCAPES =
  // oxlint-disable-next-line no-control-regex
  /\x1b\[([\d;:]*)m|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]|[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]/g;

/**
 * A line of output with its colours as classes; everything else that would move a cursor or name a window is left out. What
 * the last carriage return left is shown, as on a terminal.
 */
export function ansiRuns(line: string, before: AnsiState): { runs: Run[]; state: AnsiState } {
  const shown = lastWritten(line);
  const runs: Run[] = [];
  let state = before;
  let from = 0;
  const add = (text: string): void => {
    if (text !== "") runs.push({ text, classes: classesOf(state) });
  };
  for (const match of shown.matchAll(ESCAPES)) {
    add(shown.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[1] !== undefined) state = nextState(state, match[1]);
  }
  add(shown.slice(from));
  return { runs, state };
}

/** The line without any escape sequence. */
export function plainLine(line: string): string {
  return lastWritten(line).replace(ESCAPES, "");
}

function lastWritten(line: string): string {
  const parts = line.replace(/\r+$/, "").split("\r");
  return parts.findLast((part) => part !== "") ?? "";
}

function classesOf({ fg, bg, marks }: AnsiState): string {
  const colours = [fg === undefined ? "" : `fg-${fg}`, bg === undefined ? "" : `bg-${bg}`];
  return [...colours, ...[...marks].map((mark) => `sgr-${mark}`)].filter(Boolean).join(" ");
}

function nextState(state: AnsiState, codes: string): AnsiState {
  let { fg, bg, marks } = state;
  const given = codes.split(/[;:]/).map(Number);
  for (let at = 0; at < given.length; at++) {
    const code = given[at]!;
    if (code === 0) [fg, bg, marks] = [undefined, undefined, new Set()];
    else if ([1, 2, 3, 4, 7, 9].includes(code)) marks = new Set([...marks, code]);
    else if (code === 22) marks = without(marks, 1, 2);
    else if ([23, 24, 27, 29].includes(code)) marks = without(marks, code - 20);
    else if (code >= 30 && code <= 37) fg = code - 30;
    else if (code >= 90 && code <= 97) fg = code - 82;
    else if (code === 39) fg = undefined;
    else if (code >= 40 && code <= 47) bg = code - 40;
    else if (code >= 100 && code <= 107) bg = code - 92;
    else if (code === 49) bg = undefined;
    else if (code === 38 || code === 48) {
      const isIndexed = given[at + 1] === 5;
      const colour = isIndexed ? nearestOfIndex(given[at + 2] ?? 0) : nearest(given.slice(at + 2, at + 5));
      if (code === 38) fg = colour;
      else bg = colour;
      at += isIndexed ? 2 : 4;
    }
  }
  return { fg, bg, marks };
}

function without(marks: ReadonlySet<number>, ...gone: number[]): Set<number> {
  return new Set([...marks].filter((mark) => !gone.includes(mark)));
}

// The page has sixteen colours that are readable in both themes; any other one becomes the nearest.
function nearestOfIndex(index: number): number {
  if (index < 16) return index;
  if (index >= 232) return index < 244 ? 8 : 7;
  const value = index - 16;
  const levels = [Math.floor(value / 36), Math.floor(value / 6) % 6, value % 6];
  return nearest(levels.map((level) => level * 51));
}

function nearest([red = 0, green = 0, blue = 0]: number[]): number {
  const strongest = Math.max(red, green, blue);
  if (strongest < 48) return 8;
  const bit = (value: number): boolean => value > strongest * 0.6;
  return (bit(red) ? 1 : 0) + (bit(green) ? 2 : 0) + (bit(blue) ? 4 : 0);
}
