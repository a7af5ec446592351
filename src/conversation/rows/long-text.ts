import type { ConversationItem } from "../conversation-item.ts";
import type { LooseCall } from "../entry-items.ts";
import type { LooseResult } from "../user-items.ts";
import { beginningOf } from "../../lib/whole-characters.ts";
import type { LongText } from "./row.ts";

/** The beginning of a text, with the address of all of it where there is more. */
export function longText(text: string, lengthMax: number, url: () => string): LongText {
  const shown = beginningOf(text, lengthMax);
  return { text: shown, bytes: Buffer.byteLength(text), url: shown.length === text.length ? null : url() };
}

/** The text of an item of an entry, whole; undefined when it has none. */
export function textOfItem(item: ConversationItem | LooseCall | LooseResult): string | undefined {
  if (item.kind === "result") return item.result.text;
  if (item.kind === "notification") return item.notification.result ?? item.notification.summary;
  return "text" in item ? item.text : undefined;
}
