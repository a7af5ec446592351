import { chatItemsMax } from "./limits.ts";
import type { SessionRef, SessionStore } from "../../../store/index.ts";
import type { ConversationItem } from "../../../conversation/conversation-item.ts";
import { takeItems } from "../../../conversation/read-items.ts";

/** Entries shown of a conversation that is taken up again: what one needs to know where one was. */
const ENTRIES_SHOWN = 40;

/** The end of a conversation, as it is shown when somebody goes on with it. */
export async function loadItems(store: SessionStore, session: SessionRef): Promise<ConversationItem[]> {
  const items = await takeItems(await store.conversation(session, { mode: "context", last: ENTRIES_SHOWN }));
  return items.filter(({ kind }) => kind !== "context").slice(-chatItemsMax);
}
