import type { EntryDraft } from "../../store/write/session-writer.ts";
import type { ContentPart } from "../../tasks/ports.ts";
import { partsOf } from "../launch/content-parts.ts";

type Append = (draft: EntryDraft) => Promise<string>;

/**
 * Appends to one transcript so that each result of a tool names the entry that asked for it. Every transcript of an agent
 * has its own: the same message has another uuid in each.
 */
export function linkResults(append: Append): Append {
  const askedBy = new Map<string, string>();
  return async (draft) => {
    const { content } = (draft["message"] ?? {}) as { content?: string | ContentPart[] };
    const parts = content === undefined ? [] : partsOf(content);
    const results = parts
      .filter(({ type }) => type === "tool_result")
      .map((part) => String(part["tool_use_id"]));
    const asking = askedBy.get(results[0] ?? "");
    const uuid = await append({ ...draft, ...(asking !== undefined && { sourceToolAssistantUUID: asking }) });
    for (const id of results) askedBy.delete(id);
    for (const part of parts) if (part.type === "tool_use") askedBy.set(String(part["id"]), uuid);
    return uuid;
  };
}
