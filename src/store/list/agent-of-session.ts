import path from "node:path";
import { isPacked } from "../archive/read-packed.ts";
import { storeError } from "../errors.ts";
import { agentIdOfFile } from "./agent-file.ts";
import type { SessionRef } from "./find-session.ts";
import { listAgents } from "./session-agents.ts";
import { listFlatAgents, listNestedAgents } from "./transcript-files.ts";

/** The transcript of a sub-agent of a session, by its whole id. Throws `session_not_found`. */
export async function agentOfSession(session: SessionRef, agentId: string): Promise<SessionRef> {
  const file = isPacked(session.path)
    ? (await listAgents(session)).find((agent) => agent.agentId === agentId)?.path
    : fileOfAgent(session, agentId);
  if (file !== undefined) return { ...session, path: file };
  throw storeError(
    "session_not_found",
    `Cannot find agent "${agentId}" of session "${session.sessionId}": it has no transcript`,
    { fields: { id: agentId, near: [] } },
  );
}

function fileOfAgent(session: SessionRef, agentId: string): string | undefined {
  const nested = listNestedAgents(path.join(path.dirname(session.path), session.sessionId));
  return (
    nested.find((agent) => agent.agentId === agentId)?.path ??
    listFlatAgents(session).find((file) => agentIdOfFile(path.basename(file)) === agentId)
  );
}
