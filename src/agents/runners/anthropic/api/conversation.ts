import type { ContentPart, RunnerMessage } from "../../../../tasks/ports.ts";

export interface ApiMessage {
  role: "user" | "assistant";
  content: ContentPart[];
}

/**
 * The conversation as the API takes it: roles alternate, results of tools come first in their message, and nothing is
 * blank. An answer of nothing but thoughts is left out, because no message may end in one.
 */
export class Conversation {
  readonly #messages: ApiMessage[] = [];

  constructor(messages: readonly RunnerMessage[]) {
    for (const message of messages) this.add(message);
  }

  add({ role, content }: RunnerMessage): void {
    const parts = sendable(content);
    if (parts.length === 0 || (role === "assistant" && parts.every(isThought))) return;
    const last = this.#messages.at(-1);
    if (last?.role === role) last.content = resultsFirst([...last.content, ...parts]);
    else this.#messages.push({ role, content: parts });
  }

  /** A copy whose last two user messages end in a mark: all before it is read from the cache the next time. */
  withCacheMarks(): ApiMessage[] {
    const marked = new Set(this.#messages.filter(({ role }) => role === "user").slice(-2));
    return this.#messages.map((message) =>
      marked.has(message) ? { ...message, content: markLast(message.content) } : message,
    );
  }
}

/** Marks the end of what the API is to keep for the next request. */
export function markLast<T extends object>(parts: readonly T[]): T[] {
  return parts.map((part, index) =>
    index === parts.length - 1 ? { ...part, cache_control: { type: "ephemeral" } } : part,
  );
}

function sendable(content: RunnerMessage["content"]): ContentPart[] {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return parts.filter((part) => part.type !== "text" || String(part["text"]).trim() !== "");
}

function isThought({ type }: ContentPart): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

function resultsFirst(parts: readonly ContentPart[]): ContentPart[] {
  const isResult = ({ type }: ContentPart): boolean => type === "tool_result";
  return [...parts.filter(isResult), ...parts.filter((part) => !isResult(part))];
}
