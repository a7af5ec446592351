import type { ConversationItem } from "../../conversation/conversation-item.ts";
import { ConversationRenderer } from "../../render/conversation-renderer.ts";
import type { Style } from "../../render/style.ts";

/** An item as `holdfast show` prints it, with the distance to the one before; of prompts, without the time. */
export function itemLines(
  item: ConversationItem,
  before: ConversationItem | undefined,
  options: { columns: number; style: Style },
): string[] {
  const renderer = new ConversationRenderer(options);
  if (before) renderer.render(before);
  return renderer.render(withoutTime(item));
}

// Of a conversation that goes on now, the time of every prompt is no news.
function withoutTime(item: ConversationItem): ConversationItem {
  if (item.kind !== "prompt") return item;
  const { at: _, ...rest } = item;
  return rest;
}
