import type { EntryDraft } from "../../store/write/session-writer.ts";
import type { AssistantEvent, UserEvent } from "../../tasks/ports.ts";
import { partsOf, textsOf } from "../launch/content-parts.ts";

/** What a runner reports, as lines of a transcript: each result names the line that asked for it. */
export class QueryEntries {
  /** By tool use, the entry that asked. */
  readonly #askedBy = new Map<string, string>();
  /** What the agent was told in between and may repeat. */
  #told: string[] = [];

  draftOf(event: AssistantEvent | UserEvent): EntryDraft {
    if (event.kind === "assistant") {
      const { message, requestId } = event;
      return { type: "assistant", message, ...(requestId !== undefined && { requestId }) };
    }
    const { message, toolUseResult, isMeta } = event;
    const result = partsOf(message.content).find(({ type }) => type === "tool_result");
    const askedBy = result && this.#askedBy.get(String(result["tool_use_id"]));
    return {
      type: "user",
      message,
      ...(isMeta && { isMeta }),
      ...(toolUseResult !== undefined && { toolUseResult }),
      ...(askedBy !== undefined && { sourceToolAssistantUUID: askedBy }),
    };
  }

  /** Notes that an event is in the transcript, under this uuid. */
  recorded({ message }: AssistantEvent | UserEvent, uuid: string): void {
    for (const part of partsOf(message.content))
      if (part.type === "tool_use") this.#askedBy.set(String(part["id"]), uuid);
  }

  /** Notes that something was said to the agent, and is in the transcript already. */
  told(text: string): void {
    this.#told.push(text);
  }

  /** Whether this only repeats what the agent was told, which is in the transcript already. */
  isRepeated(event: AssistantEvent | UserEvent): boolean {
    if (event.kind === "assistant" || this.#told.length === 0) return false;
    const { content } = event.message;
    if (partsOf(content).some(({ type }) => type !== "text")) return false;
    let rest = textsOf(content).join("\n");
    const left = this.#told.filter((text) => {
      const isIn = rest.includes(text);
      if (isIn) rest = rest.replace(text, () => "");
      return !isIn;
    });
    if (left.length === this.#told.length || rest.trim() !== "") return false;
    this.#told = left;
    return true;
  }
}
