import { displayWidth, graphemes } from "./display-width.ts";

/** As much of the text's beginning as fits, with `…` where the rest was. */
export function cutEnd(text: string, width: number): string {
  if (fits(text, width)) return text;
  const start = text.slice(0, unitsMax(width));
  return width < 1
    ? ""
    : `${takeWidth(graphemes(start), width - 1)
        .join("")
        .trimEnd()}…`;
}

/** As much of the text's end as fits: of a path, the end says more. */
export function cutStart(text: string, width: number): string {
  if (fits(text, width)) return text;
  const end = [...graphemes(text.slice(-unitsMax(width)))].reverse();
  return width < 1
    ? ""
    : `…${takeWidth(end, width - 1)
        .reverse()
        .join("")}`;
}

// Measuring is what costs: a text this much longer than the window is cut without being measured.
function unitsMax(width: number): number {
  return width * 8 + 64;
}

function fits(text: string, width: number): boolean {
  return text.length <= unitsMax(width) && displayWidth(text) <= width;
}

function takeWidth(pieces: Iterable<string>, width: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const piece of pieces) {
    used += displayWidth(piece);
    if (used > width) break;
    taken.push(piece);
  }
  return taken;
}
