import { chatItemsMax } from "./limits.ts";
import type { ThreadUsage } from "../../../agents/threads/thread-event.ts";
import { isAssistant } from "../../../format/entry-kinds.ts";
import type { Entry } from "../../../format/entries/entry.ts";
import { tokensOf } from "../../../format/message-tokens.ts";
import type { SessionRef, SessionStore } from "../../../store/index.ts";
import type { ConversationItem } from "../../../conversation/conversation-item.ts";
import { readItems } from "../../../conversation/read-items.ts";

/** Entries shown of a conversation that is taken up again: what one needs to know where one was. */
const ENTRIES_SHOWN = 40;

/** The end of a conversation, as it is shown when somebody goes on with it, and how full it was. */
export async function loadItems(
  store: SessionStore,
  session: SessionRef,
): Promise<{ items: ConversationItem[]; usage: ThreadUsage }> {
  const { entries } = await store.readConversation(session, { mode: "context", last: ENTRIES_SHOWN });
  const items: ConversationItem[] = [];
  for await (const item of readItems(entries)) if (item.kind !== "context") items.push(item);
  return { items: items.slice(-chatItemsMax), usage: usageIn(entries) };
}

function usageIn(entries: readonly Entry[]): ThreadUsage {
  const last = entries.findLast((entry) => isAssistant(entry) && entry.message.model !== "<synthetic>");
  if (!last || !isAssistant(last)) return {};
  const { model, usage } = last.message;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens } = tokensOf(
    usage ?? {},
  );
  const contextTokens =
    inputTokens + outputTokens + cacheReadTokens + cacheWrite5mTokens + cacheWrite1hTokens;
  return { ...(model !== undefined && { model }), ...(contextTokens > 0 && { contextTokens }) };
}
