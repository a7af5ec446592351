import type { ClaimedRun } from "./handle-run.ts";
import { continuePrompt, promptDraft, readConversationEnd } from "../../agents/launch/prompt-entries.ts";
import type { RunTranscript } from "./run-transcript.ts";

/**
 * Goes to where the log stands: says the prompt of a new run; tells an interrupted one that it has moved, and which tool uses
 * have no result. The answer, when the worker before this one died after it was given.
 */
export async function beginRun(
  { request, events }: ClaimedRun,
  transcript: RunTranscript,
  { restoredAt }: { restoredAt: string | undefined },
): Promise<readonly unknown[] | undefined> {
  const lastEnd = events.findLastIndex(({ event }) => event.kind === "finished");
  const isBegun = events
    .slice(lastEnd + 1)
    .some(({ event }) => event.kind === "entry" || event.kind === "large-entry");
  const end = readConversationEnd(await transcript.readEntries());
  for (const draft of end.interrupted) await transcript.append(draft);
  if (!isBegun) {
    await transcript.append(promptDraft(request.prompt));
    return undefined;
  }
  if (end.isAnswered) return end.answer;
  await transcript.append({ ...promptDraft(`${movedText(restoredAt)} ${continuePrompt}`), isMeta: true });
  return undefined;
}

function movedText(restoredAt: string | undefined): string {
  const since = restoredAt === undefined ? "the beginning of the run" : restoredAt;
  return `This run has moved to another machine. Files are as they were at ${since}: look before you rely on later changes.`;
}
