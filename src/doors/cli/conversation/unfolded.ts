import { terminalText } from "../../../lib/terminal-text.ts";
import type { Page } from "../render/style.ts";
import { wrapText } from "../render/wrap-text.ts";

/** All of what was printed, below the line that it belongs to. */
export function unfolded(text: string, { columns, style }: Page): string[] {
  const safe = terminalText(text).trimEnd();
  if (safe === "") return [];
  return wrapText(safe, columns - 4).map((line, index) =>
    style.dim(`  ${index === 0 ? "⎿" : " "} ${line}`.trimEnd()),
  );
}
