import { taskDescriptionLengthMax } from "./limits.ts";
import { cutText, oneLine } from "./short-text.ts";

/** How a task ended, in the frame of the client's own sentences, so that a model reads ours the same way. */
export function taskSummary(
  kind: "Background command" | "Background session" | "Agent",
  { description, how }: { description: string; how: string },
): string {
  // A description may not close the quotes around it and go on as if it were our verdict.
  const quotable = cutText(oneLine(description), taskDescriptionLengthMax);
  return `${kind} "${escapeQuotes(quotable)}" ${oneLine(how)}`;
}

function escapeQuotes(text: string): string {
  return text.replace(/(\\*)("|$)/g, (_, slashes: string, end: string) => slashes + slashes + (end && '\\"'));
}
