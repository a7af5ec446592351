import { displayWidth } from "../../src/doors/cli/render/display-width.ts";

/** Characters of a line that look the same. */
export interface Run {
  text: string;
  /** Where it begins, and how many cells of the terminal it takes. */
  column: number;
  cells: number;
  colour: string;
  background?: string;
  isBold: boolean;
  isFaint: boolean;
}

type Look = Omit<Run, "text" | "column" | "cells">;

/** The colours that a terminal gives its sixteen names, and to what has none. */
export const themes = {
  dark: {
    foreground: "#d6d9e0",
    background: "#16181d",
    names:
      "#3b3f4a #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #d6d9e0 #7f8694 #ff7b86 #b5e890 #ffd68a #7cc3ff #e29bf5 #74d6e2 #ffffff",
  },
  light: {
    foreground: "#24292f",
    background: "#ffffff",
    names:
      "#24292f #cf222e #116329 #9a6700 #0969da #8250df #1b7c83 #6e7781 #57606a #a40e26 #1a7f37 #633c01 #218bff #a475f9 #3192aa #8c959f",
  },
} as const;
export type Theme = keyof typeof themes;

/** The parts of each line of `tmux capture-pane -e`, which says only what changes, from one line to the next, too. */
export function styledRuns(lines: readonly string[], theme: Theme): Run[][] {
  let look = plainLook(theme);
  return lines.map((line) => {
    const { runs, last } = runsOf(line, { look, theme });
    look = last;
    return runs;
  });
}

function runsOf(
  line: string,
  { look: first, theme }: { look: Look; theme: Theme },
): { runs: Run[]; last: Look } {
  const runs: Run[] = [];
  let look = first;
  let column = 0;
  // oxlint-disable-next-line no-control-regex -- these are the escapes
  for (const piece of line.split(/(\u001b\[[\d;:]*m)/)) {
    if (piece.startsWith("\u001b"))
      look = nextLook(look, piece.slice(2, -1).split(/[;:]/).map(Number), theme);
    else if (piece !== "") {
      const cells = displayWidth(piece);
      runs.push({ ...look, text: piece, column, cells });
      column += cells;
    }
  }
  return { runs, last: look };
}

function plainLook(theme: Theme): Look {
  return { colour: themes[theme].foreground, isBold: false, isFaint: false };
}

function nextLook(look: Look, codes: number[], theme: Theme): Look {
  const { foreground, background, names } = themes[theme];
  const named = names.split(" ");
  let next = { ...look };
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!;
    if (code === 0) next = plainLook(theme);
    else if (code === 1) next.isBold = true;
    else if (code === 2) next.isFaint = true;
    else if (code === 22) next = { ...next, isBold: false, isFaint: false };
    else if (code === 7) next = { ...next, colour: next.background ?? background, background: next.colour };
    else if (code === 27) next = plainLook(theme);
    else if (code === 39) next.colour = foreground;
    else if (code === 49) delete next.background;
    else if (code === 38 || code === 48) {
      const { colour, length } = extendedColour(codes.slice(at + 1), named);
      at += length;
      if (code === 38) next.colour = colour;
      else next.background = colour;
    } else if (code >= 30 && code <= 37) next.colour = named[code - 30]!;
    else if (code >= 90 && code <= 97) next.colour = named[code - 82]!;
    else if (code >= 40 && code <= 47) next.background = named[code - 40]!;
    else if (code >= 100 && code <= 107) next.background = named[code - 92]!;
  }
  return next;
}

// 2;R;G;B or 5;N.
function extendedColour([kind, ...rest]: number[], named: string[]): { colour: string; length: number } {
  if (kind === 2) return { colour: `rgb(${rest.slice(0, 3).join(",")})`, length: 4 };
  const number = rest[0] ?? 7;
  if (number < 16) return { colour: named[number]!, length: 2 };
  if (number >= 232)
    return {
      colour: `rgb(${Array(3)
        .fill(8 + (number - 232) * 10)
        .join(",")})`,
      length: 2,
    };
  const cube = [36, 6, 1].map((size) => Math.floor((number - 16) / size) % 6);
  return { colour: `rgb(${cube.map((level) => (level === 0 ? 0 : 55 + level * 40)).join(",")})`, length: 2 };
}
