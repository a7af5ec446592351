import type { Suggestion } from "../../lib/suggestion.ts";
import type { RecoveredItem } from "../../recovery/recovered-item.ts";
import type { DuplicateWork, Recovery } from "../../recovery/recovery.ts";

/** What has become of background work, with what can be done about each, best first. */
export interface RecoveryView {
  running: RecoverableView[];
  finishedUnseen: RecoverableView[];
  lost: RecoverableView[];
  leftToClient: RecoverableView[];
  duplicates: DuplicateWork[];
}

export type RecoverableView = RecoveredItem & { suggestions: Suggestion[] };

export function recoveryView(recovery: Recovery): RecoveryView {
  const { running, finishedUnseen, lost, leftToClient, duplicates } = recovery;
  const each = (items: readonly RecoveredItem[]): RecoverableView[] =>
    items.map((item) => Object.assign({ suggestions: suggestionsFor(item) }, item));
  return {
    running: each(running),
    finishedUnseen: each(finishedUnseen),
    lost: each(lost),
    leftToClient: each(leftToClient),
    duplicates,
  };
}

function suggestionsFor(item: RecoveredItem): Suggestion[] {
  return item.owner === "holdfast" ? ownSuggestions(item) : clientSuggestions(item);
}

function ownSuggestions({ id, kind, status }: RecoveredItem): Suggestion[] {
  const verb = (name: string): Suggestion => ({ verb: name, args: [id] });
  if (status === "running") return [verb("logs"), verb("stop")];
  // An agent goes on where its transcript ends; a command begins anew.
  const again = verb(kind === "local_bash" ? "restart" : "resume");
  return status === "completed" ? [verb("output"), again] : [again, verb("output")];
}

// What a client started, only a client can go on with: in the session that it was for.
function clientSuggestions({ id, kind, sessionId, status, outputFile }: RecoveredItem): Suggestion[] {
  const session = kind === "session" ? id : sessionId;
  const suggestions: Suggestion[] = [];
  if (status !== "running" && session !== undefined)
    suggestions.push({ program: "claude", args: ["--resume", session] });
  if (session !== undefined) suggestions.push({ verb: "show", args: [session] });
  if (outputFile !== undefined) suggestions.push({ program: "tail", args: ["-n", "50", outputFile] });
  return suggestions;
}
