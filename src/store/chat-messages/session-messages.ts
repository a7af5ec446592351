import { uuidOf } from "../../format/entry-kinds.ts";
import type { Entry } from "../../format/index.ts";
import type { Conversation } from "../read/conversation.ts";

/** Reads a conversation as messages, by one of the conversions of this folder, and closes it. */
export function readMessages<Message>(
  conversation: Conversation,
  convert: (entries: Iterable<Entry>) => Message[],
): Message[] {
  try {
    return convert(withoutRetracted(conversation.entries(), conversation.retracted));
  } finally {
    conversation.close();
  }
}

/** What was not taken back: a model is not shown the answers that were. */
export function withoutRetracted(entries: Iterable<Entry>, retracted: ReadonlySet<string>): Entry[] {
  return [...entries].filter((entry) => !retracted.has(uuidOf(entry) ?? ""));
}
