import { blocksOf, isMessage } from "../../format/entry-kinds.ts";
import type { Entry } from "../../format/index.ts";

/** Which entries are wanted. An entry must pass every condition that is given. */
export interface EntryFilter {
  types?: readonly string[] | undefined;
  roles?: readonly ("user" | "assistant")[] | undefined;
  /** Entries without a timestamp pass no date range. */
  since?: Date | undefined;
  until?: Date | undefined;
  /** Without tool calls and their results; the text of a message that also calls a tool stays. */
  withoutTools?: boolean | undefined;
  /** Without system entries, injected context and the client's bookkeeping: what people and model said. */
  withoutSystem?: boolean | undefined;
}

/** The entry as the filter lets it through: itself, a copy without its tool blocks, or undefined. */
export function applyFilter(entry: Entry, filter: EntryFilter): Entry | undefined {
  if (filter.types && !filter.types.includes(entry.type)) return undefined;
  if (filter.roles && !(isMessage(entry) && filter.roles.includes(entry.type))) return undefined;
  if (!isInRange(entry, filter)) return undefined;
  if (filter.withoutSystem && (!isMessage(entry) || (entry as { isMeta?: boolean }).isMeta === true))
    return undefined;
  return filter.withoutTools ? withoutToolBlocks(entry) : entry;
}

function isInRange(entry: Entry, { since, until }: EntryFilter): boolean {
  if (!since && !until) return true;
  const at = Date.parse(String((entry as { timestamp?: unknown }).timestamp));
  if (Number.isNaN(at)) return false;
  return (!since || at >= since.getTime()) && (!until || at <= until.getTime());
}

// Also those that the server runs, whatever they are called: server_tool_use, web_search_tool_result, mcp_tool_use.
const toolBlock = /(?:^|_)tool_(?:use|result)$/;

function withoutToolBlocks(entry: Entry): Entry | undefined {
  if (!isMessage(entry)) return entry;
  const blocks = blocksOf(entry);
  const kept = blocks.filter((block) => !toolBlock.test(block.type));
  if (kept.length === blocks.length) return entry;
  if (kept.length === 0) return undefined;
  return { ...entry, message: { ...entry.message, content: kept } };
}
