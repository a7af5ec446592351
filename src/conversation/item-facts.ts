import type { TaskNotification } from "../format/task-notification.ts";
import { formatMoment, formatTokens } from "../lib/quantities.ts";
import type { CompactionItem, PromptItem } from "./conversation-item.ts";

/** `compacted (auto, 155k → 9k tokens)`, with as much of it as is known. */
export function compactionText({ trigger, tokensBefore, tokensAfter }: CompactionItem): string {
  const tokens = [tokensBefore, tokensAfter].filter((count) => count !== undefined).map(formatTokens);
  const facts = [trigger, tokens.length === 0 ? "" : `${tokens.join(" → ")} tokens`]
    .filter(Boolean)
    .join(", ");
  return facts === "" ? "compacted" : `compacted (${facts})`;
}

/** When a prompt was typed, and whether the agent was working then. */
export function promptFacts({ at, isQueued }: PromptItem): string {
  return [at === undefined ? "" : formatMoment(at), isQueued ? "queued" : ""].filter(Boolean).join(", ");
}

/** What was given along with a prompt: `[image]`, `[document report.pdf]`. */
export function givenAlong({ images, documents = [] }: PromptItem): string[] {
  return [...Array.from({ length: images }, () => "[image]"), ...documents.map((name) => `[${name}]`)];
}

export function notificationText({ taskId, status, summary }: TaskNotification): string {
  return summary === "" ? `Task ${taskId} ${status}` : summary;
}
