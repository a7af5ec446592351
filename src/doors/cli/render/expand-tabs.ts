import { displayWidth } from "./display-width.ts";

const TAB_COLUMNS = 4;

/** A line with spaces in place of its tabs: how wide a tab is depends on where it stands, which nobody can measure. */
export function expandTabs(line: string): string {
  if (!line.includes("\t")) return line;
  return line.split("\t").reduce((before, after) => {
    const gap = TAB_COLUMNS - (displayWidth(before) % TAB_COLUMNS);
    return before + " ".repeat(gap) + after;
  });
}
