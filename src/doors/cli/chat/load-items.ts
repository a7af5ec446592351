import { chatItemsMax } from "./limits.ts";
import type { SessionRef, SessionStore } from "../../../store/index.ts";
import type { ConversationItem } from "../../../conversation/conversation-item.ts";
import { readItems } from "../../../conversation/read-items.ts";

/** Entries shown of a conversation that is taken up again: what one needs to know where one was. */
const ENTRIES_SHOWN = 40;

/** The end of a conversation, as it is shown when somebody goes on with it. */
export async function loadItems(store: SessionStore, session: SessionRef): Promise<ConversationItem[]> {
  const { entries } = await store.readConversation(session, { mode: "context", last: ENTRIES_SHOWN });
  const items: ConversationItem[] = [];
  for await (const item of readItems(entries)) if (item.kind !== "context") items.push(item);
  return items.slice(-chatItemsMax);
}
