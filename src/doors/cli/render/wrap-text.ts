import { displayWidth } from "./display-width.ts";
import { expandTabs } from "./expand-tabs.ts";
import { paintSpans, wrapSpans } from "./wrap-spans.ts";

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
  const isHanging = displayWidth(lead) < width / 2;
  const indent = isHanging ? " ".repeat(displayWidth(lead)) : "";
  const text = isHanging ? line.slice(lead.length) : line;
  return wrapSpans([{ text }], width - indent.length).map(
    (spans, index) => (index === 0 && isHanging ? lead : indent) + paintSpans(spans),
  );
}
