import { displayWidth, graphemes } from "./display-width.ts";
import { expandTabs } from "./expand-tabs.ts";

/**
 * The text as lines of at most `width` cells, broken between words, a word only where it alone is too long.
 * Continued lines keep the indentation of theirs and stand under the text of a list item. Code between ``` is
 * left as it is: a broken line of code is worse than a long one.
 */
export function wrapText(text: string, width: number): string[] {
  if (width === Infinity) return text.split("\n");
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of expandTabs(text).split("\n")) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    const isCode = fence !== undefined || mark !== undefined;
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    lines.push(...(isCode ? [line] : wrapLine(line, width)));
  }
  return lines;
}

/** The same of one line, whatever it is. */
export function wrapLine(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line];
  const [lead = ""] = /^\s*(?:[-*+•]\s+|\d+[.)]\s+|>\s+)?/.exec(line) ?? [];
  const indent = displayWidth(lead) < width / 2 ? " ".repeat(displayWidth(lead)) : "";
  const lines: string[] = [];
  let current = lead;
  let used = displayWidth(lead);
  const breakLine = (): void => {
    lines.push(current.trimEnd());
    current = indent;
    used = indent.length;
  };
  for (const word of line.slice(lead.length).match(/\s+|\S+/g) ?? []) {
    if (used + displayWidth(word) <= width) {
      current += word;
      used += displayWidth(word);
    } else if (word.trim() === "") {
      breakLine();
    } else {
      if (current.trim() !== "" && current !== lead) breakLine();
      for (const piece of graphemes(word)) {
        if (used + displayWidth(piece) > width && current !== indent) breakLine();
        current += piece;
        used += displayWidth(piece);
      }
    }
  }
  if (current.trim() !== "") lines.push(current.trimEnd());
  return lines;
}
