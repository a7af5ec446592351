import type { Entry } from "../../../format/entries/entry.ts";
import { readItems } from "../../../conversation/read-items.ts";
import type { CommandContext } from "../command.ts";
import { ConversationRenderer, type ConversationRendererOptions } from "./conversation-renderer.ts";
import { loadMarkdown } from "./render-markdown.ts";

export interface WritingOptions extends Omit<
  ConversationRendererOptions,
  "columns" | "style" | "unfoldTool"
> {
  hasIds?: boolean | undefined;
  /** With all of what tools were given and gave back, of thoughts and of summaries. */
  isFull?: boolean | undefined;
  /** Uuids of answers that were taken back. */
  retracted?: ReadonlySet<string> | undefined;
}

/** Prints a conversation for a person; says how many lines. One that is live is printed as it happens: a tool when it begins. */
export async function writeConversation(
  { output, writeLines, environment: { stdout } }: CommandContext,
  entries: AsyncIterable<Entry>,
  { hasIds = false, isFull = false, retracted, ...options }: WritingOptions = {},
): Promise<number> {
  const { isLive = false } = options;
  await loadMarkdown(stdout);
  // Differences and colours take more code than all that is folded.
  const { unfoldTool } = isFull ? await import("./unfold-tool.ts") : {};
  const renderer = new ConversationRenderer({ ...stdout, ...options, unfoldTool });
  const reading = { hasIds, retracted, ...(isLive && { lookaheadMax: 0 }) };
  let count = 0;
  for await (const item of readItems(entries, reading)) {
    const lines = renderer.render(item);
    count += lines.length;
    for (const line of lines) await output.write(`${line}\n`);
    if (isLive) await output.flush();
  }
  const rest = renderer.end();
  await writeLines(rest);
  return count + rest.length;
}
