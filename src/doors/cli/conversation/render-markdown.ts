import type { Page } from "../render/style.ts";
import { wrapText } from "../render/wrap-text.ts";

let markdownLines: ((text: string, page: Page) => string[]) | undefined;

/**
 * Loads what renders Markdown, for a screen: it takes as long as all else that shows a conversation, and a pipe gets the
 * text as it was written. To be called before the first conversation is drawn.
 */
export async function loadMarkdown({ columns, style }: Page): Promise<void> {
  if (columns === Infinity) return;
  const { loadHighlighter } = await import("./code-lines.ts");
  await loadHighlighter({ style });
  ({ markdownLines } = await import("./markdown-lines.ts"));
}

/** Markdown as lines for a screen; as it was written where nothing was loaded. */
export function renderMarkdown(text: string, page: Page): string[] {
  return markdownLines && page.columns !== Infinity
    ? markdownLines(text, page)
    : wrapText(text, page.columns);
}
