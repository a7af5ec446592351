import type { ChatKey } from "../editor/chat-key.ts";

/** What a key answers to a question; undefined when it is no answer. */
export function answerOf(key: ChatKey): "yes" | "no" | "always" | undefined {
  if (key.kind === "escape") return "no";
  const letter = key.kind === "text" ? key.text.toLowerCase() : "";
  return ({ y: "yes", n: "no", a: "always" } as const)[letter];
}
