import type { EntryDraft } from "../../store/write/session-writer.ts";
import type { AssistantEvent, UserEvent } from "../../tasks/ports.ts";
import { partsOf, textsOf } from "../launch/content-parts.ts";

/** What a runner reports, as a line of a transcript. */
export function draftOf(event: AssistantEvent | UserEvent): EntryDraft {
  if (event.kind === "assistant") {
    const { message, requestId } = event;
    return { type: "assistant", message, ...(requestId !== undefined && { requestId }) };
  }
  const { message, toolUseResult, isMeta } = event;
  return {
    type: "user",
    message,
    ...(isMeta && { isMeta }),
    ...(toolUseResult !== undefined && { toolUseResult }),
  };
}

/** What an agent was told in between, and may repeat. */
export class ToldTexts {
  #texts: string[] = [];

  /** Notes that something was said to the agent, and is in the transcript already. */
  add(text: string): void {
    this.#texts.push(text);
  }

  /** Whether this only repeats what the agent was told, which is in the transcript already. */
  isRepeated(event: AssistantEvent | UserEvent): boolean {
    if (event.kind === "assistant" || this.#texts.length === 0) return false;
    const { content } = event.message;
    if (partsOf(content).some(({ type }) => type !== "text")) return false;
    let rest = textsOf(content).join("\n");
    const left = this.#texts.filter((text) => {
      const isIn = rest.includes(text);
      if (isIn) rest = rest.replace(text, () => "");
      return !isIn;
    });
    if (left.length === this.#texts.length || rest.trim() !== "") return false;
    this.#texts = left;
    return true;
  }
}
