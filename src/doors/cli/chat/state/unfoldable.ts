import type { ConversationItem } from "../../../../conversation/conversation-item.ts";
import type { Thread } from "./chat-state.ts";

/** Whether there is more of it than its folded line shows. */
function isUnfoldable(item: ConversationItem): boolean {
  return item.kind === "thinking" || (item.kind === "tool" && item.result !== undefined);
}

/**
 * The next item in a direction that can be unfolded, by its number among all of the conversation; undefined when there is
 * none.
 */
export function nextUnfoldable({ items, dropped }: Thread, from: number, by: -1 | 1): number | undefined {
  for (let index = from - dropped + by; index >= 0 && index < items.length; index += by)
    if (isUnfoldable(items[index]!)) return dropped + index;
  return undefined;
}
