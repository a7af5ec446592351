import path from "node:path";
import { isPacked } from "../archive/read-packed.ts";
import { storeError } from "../errors.ts";
import { agentIdOfFile } from "./agent-file.ts";
import type { SessionRef } from "./find-session.ts";
import { listAgents } from "./session-agents.ts";
import { listFlatAgents, listNestedAgents } from "./transcript-files.ts";

/** The transcript of a sub-agent of a session, by its whole id. Throws `session_not_found`. */
export async function agentOfSession(session: SessionRef, agentId: string): Promise<SessionRef> {
  const file = (await agentFilesOf(session)).get(agentId);
  if (file !== undefined) return { ...session, path: file };
  throw storeError(
    "session_not_found",
    `Cannot find agent "${agentId}" of session "${session.sessionId}": it has no transcript`,
    { fields: { id: agentId, near: [] } },
  );
}

/** The transcripts of a session's sub-agents by their ids, found by their names alone. */
export async function agentFilesOf(session: SessionRef): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  if (isPacked(session.path)) {
    // Only the manifest of the archive knows the names.
    for (const { agentId, path: file } of await listAgents(session)) if (file) files.set(agentId, file);
    return files;
  }
  for (const file of listFlatAgents(session)) files.set(agentIdOfFile(path.basename(file))!, file);
  const dir = path.join(path.dirname(session.path), session.sessionId);
  for (const { agentId, path: file } of listNestedAgents(dir)) files.set(agentId, file);
  return files;
}
