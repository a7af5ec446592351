import type { ChatKey } from "../editor/chat-key.ts";

const answers: ReadonlyMap<string, "yes" | "no" | "always"> = new Map([
  ["y", "yes"],
  ["n", "no"],
  ["a", "always"],
]);

/** What a key answers to a question; undefined when it is no answer. */
export function answerOf(key: ChatKey): "yes" | "no" | "always" | undefined {
  if (key.kind === "escape") return "no";
  return key.kind === "text" ? answers.get(key.text.toLowerCase()) : undefined;
}
