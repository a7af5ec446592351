import { randomUUID } from "node:crypto";
import { blocksOf, isAssistant, isToolResult, isUser, toolUsesOf, uuidOf } from "../../format/entry-kinds.ts";
import type { Entry } from "../../format/entries/entry.ts";

/**
 * Which tools wait for a result while a conversation goes on, entry by entry. A tool whose result may still be appended is
 * one of the last message: a model is given no result of which the use lies further back.
 */
export class OpenTools {
  /** By the id of the use, the entry that asked for it. */
  readonly #askedBy = new Map<string, string>();
  #messageId: unknown;

  see(entry: Entry): void {
    if (isAssistant(entry)) {
      const { id } = entry.message;
      if (id === undefined || id !== this.#messageId) this.#askedBy.clear();
      this.#messageId = id;
      for (const use of toolUsesOf(entry)) this.#askedBy.set(use.id, uuidOf(entry) ?? "");
      return;
    }
    if (!isUser(entry)) return;
    const blocks = blocksOf(entry);
    const results = blocks.filter(isToolResult);
    for (const { tool_use_id: id } of results) this.#askedBy.delete(id);
    // Somebody spoke, and the conversation went on from there.
    if (results.length === 0 && entry.isMeta !== true) this.#askedBy.clear();
  }

  /** Whether a tool waits for its result. */
  has(toolUseId: string): boolean {
    return this.#askedBy.has(toolUseId);
  }

  /** The entry without the results that nobody waits for; undefined when nothing else is in it. */
  withoutUnasked(entry: Entry): Entry | undefined {
    if (!isUser(entry)) return entry;
    const blocks = blocksOf(entry);
    const kept = blocks.filter((block) => !isToolResult(block) || this.#askedBy.has(block.tool_use_id));
    if (kept.length === blocks.length) return entry;
    return kept.length === 0 ? undefined : { ...entry, message: { ...entry.message, content: kept } };
  }

  /** Results for those that will get none, saying so. */
  interrupted(why: string): ToolResultDraft[] {
    return [...this.#askedBy].map(([id, askedBy]) => toolResultDraft(id, { askedBy, why }));
  }
}

/** A result that no tool has given. */
export interface ToolResultDraft extends Record<string, unknown> {
  type: "user";
  uuid: string;
}

function toolResultDraft(
  toolUseId: string,
  { askedBy, why }: { askedBy: string; why: string },
): ToolResultDraft {
  return {
    type: "user",
    uuid: randomUUID(),
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: toolUseId, content: why, is_error: true }],
    },
    toolUseResult: `Error: ${why}`,
    sourceToolAssistantUUID: askedBy,
  };
}
