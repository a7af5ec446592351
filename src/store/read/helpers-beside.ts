import { namesIn } from "../../lib/names-in.ts";
import { agentIdOfFile, isInternalAgent } from "../list/agent-file.ts";

/** Ids of the client's own helpers whose transcripts lie in the folder of a session's. An archived one has no folder. */
export function helpersBeside(transcript: string): string[] {
  if (!transcript.endsWith(".jsonl")) return [];
  const names = namesIn(`${transcript.slice(0, -".jsonl".length)}/subagents`);
  return names.flatMap((name) => agentIdOfFile(name) ?? []).filter(isInternalAgent);
}
