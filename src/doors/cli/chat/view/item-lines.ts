import { terminalLine } from "../../../../lib/terminal-text.ts";
import type { ConversationItem } from "../../../../conversation/conversation-item.ts";
import { ConversationRenderer } from "../../conversation/conversation-renderer.ts";
import type { Page } from "../../render/style.ts";
import { wrapText } from "../../render/wrap-text.ts";

/**
 * An item as `holdfast show` prints it, with the distance to the one before. Of prompts without the time, which is now;
 * words of the chat itself as a whole: they say what to do.
 */
export function itemLines(
  item: ConversationItem,
  before: ConversationItem | undefined,
  options: Page,
): string[] {
  if (item.kind === "notice") return noticeLines(item, before, options);
  const renderer = new ConversationRenderer(options);
  if (before) renderer.render(before);
  return renderer.render(withoutTime(item));
}

function noticeLines(
  { text, isError }: Extract<ConversationItem, { kind: "notice" }>,
  before: ConversationItem | undefined,
  { columns, style }: Page,
): string[] {
  const isApart = before !== undefined && before.kind !== "notice";
  const lines = wrapText(terminalLine(text), Math.max(10, columns - 2));
  const [mark, paint] = isError ? ["!", style.red] : ["·", style.dim];
  return [
    ...(isApart ? [""] : []),
    ...lines.map((line, index) => paint(`${index === 0 ? mark : " "} ${line}`)),
  ];
}

function withoutTime(item: ConversationItem): ConversationItem {
  if (item.kind !== "prompt") return item;
  const { at: _, ...rest } = item;
  return rest;
}
