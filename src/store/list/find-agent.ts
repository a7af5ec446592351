import path from "node:path";
import { matchId } from "../../lib/match-id.ts";
import type { ArchiveContext } from "../archive/archived-copies.ts";
import { listArchivedTranscripts } from "../archive/archived-transcripts.ts";
import { isPacked } from "../archive/read-packed.ts";
import { firstUuidOf, sessionOfAgentFile } from "./agent-file.ts";
import { listAllTranscripts, type AnyTranscript } from "./all-transcripts.ts";
import { ambiguous, type SessionRef } from "./find-session.ts";

/** The transcript of a sub-agent. The session is the one whose agent it is. */
export interface FoundAgent extends SessionRef {
  agentId: string;
}

type AgentTranscript = AnyTranscript & { agentId: string };

/**
 * The transcript of a sub-agent, by its id or a beginning that only one has, also in the archive; undefined when none does.
 * Of copies of one agent, which a fork takes along, the one in which most is said. Throws `session_ambiguous`.
 */
export function findAgent(context: ArchiveContext, id: string): FoundAgent | undefined {
  const live = matching(listAllTranscripts(context.configDir), id);
  // Named whole: nothing in the archive could be meant instead.
  const isWhole = live[0]?.agentId.toLowerCase() === id.toLowerCase();
  const all = isWhole ? live : matching([...live, ...listArchivedTranscripts(context)], id);
  const agents = [...Map.groupBy(all, beginningOf).values()].map(longest);
  if (agents.length > 1) throw ambiguous(id, agents.map(refOf));
  return agents.map(refOf)[0];
}

function matching(transcripts: readonly AnyTranscript[], id: string): AgentTranscript[] {
  const agents = transcripts.filter((each): each is AgentTranscript => each.agentId !== undefined);
  return matchId(agents, id, ({ agentId }) => agentId);
}

// Ids of eight letters are given twice now and then; a copy keeps the uuids of its lines.
function beginningOf({ agentId, path: file }: AgentTranscript): string {
  return `${agentId} ${firstUuidOf(file) ?? file}`;
}

function longest(copies: AgentTranscript[]): AgentTranscript {
  return copies.reduce((best, each) =>
    each.bytes > best.bytes || (each.bytes === best.bytes && each.bornMs < best.bornMs) ? each : best,
  );
}

function refOf({ agentId, sessionId, projectKey, path: file }: AgentTranscript): FoundAgent {
  return {
    agentId,
    sessionId: sessionId ?? sessionOfAgentFile(file) ?? agentId,
    projectKey,
    path: isPacked(file) ? file : path.resolve(file),
  };
}
