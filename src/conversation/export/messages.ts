import type { Entry } from "../../format/entries/entry.ts";
import { jsonText } from "../../lib/json-text.ts";
import { toAnthropicMessages } from "../../store/chat-messages/to-anthropic-messages.ts";
import { toModelMessages } from "../../store/chat-messages/to-model-messages.ts";
import { withoutRetracted } from "../../store/chat-messages/session-messages.ts";
import type { ExportSource } from "./export-source.ts";

/** A conversation as a list of messages, a line each, for programs that talk to a model themselves. */
export async function* exportMessages(
  { entries, retracted = new Set() }: ExportSource,
  shape: "anthropic" | "ai-sdk",
): AsyncGenerator<string> {
  const said: Entry[] = [];
  for await (const entry of entries) said.push(entry);
  const standing = withoutRetracted(said, retracted);
  const messages = shape === "anthropic" ? toAnthropicMessages(standing) : toModelMessages(standing);
  yield "[";
  for (const [at, message] of messages.entries()) yield `${at > 0 ? "," : ""}\n${jsonText(message)}`;
  yield "\n]\n";
}
