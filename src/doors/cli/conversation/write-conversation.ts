import type { Entry } from "../../../format/entries/entry.ts";
import type { CommandContext } from "../command.ts";
import { ConversationRenderer } from "../render/conversation-renderer.ts";
import { readItems } from "../../../conversation/read-items.ts";

/** Prints a conversation for a person. One that is live is printed as it happens: a tool when it begins. */
export async function writeConversation(
  { output, writeLines, environment: { stdout } }: CommandContext,
  entries: AsyncIterable<Entry>,
  { isLive = false, hasIds = false }: { isLive?: boolean; hasIds?: boolean | undefined } = {},
): Promise<void> {
  const renderer = new ConversationRenderer({ ...stdout, isLive });
  const reading = { hasIds, ...(isLive && { lookaheadMax: 0 }) };
  for await (const item of readItems(entries, reading)) {
    for (const line of renderer.render(item)) await output.write(`${line}\n`);
    if (isLive) await output.flush();
  }
  await writeLines(renderer.end());
}
