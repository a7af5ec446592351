import path from "node:path";
import { matchId } from "../../lib/match-id.ts";
import { agentIdOfFile, sessionOfAgentFile } from "./agent-file.ts";
import { ambiguous, type SessionRef } from "./find-session.ts";
import { eachProjectFolder, listNestedAgents } from "./transcript-files.ts";

/**
 * The transcript of a sub-agent, by its id or a beginning that only one has; undefined when none does. The session is the
 * one whose agent it is. Throws `session_ambiguous`.
 */
export function findAgent(configDir: string, id: string): SessionRef | undefined {
  const agents: { agentId: string; path: string; projectKey: string }[] = [];
  for (const { path: dir, projectKey, flatAgents, sessionDirs } of eachProjectFolder(configDir)) {
    for (const name of flatAgents)
      agents.push({ agentId: agentIdOfFile(name) ?? "", path: `${dir}/${name}`, projectKey });
    for (const name of sessionDirs)
      for (const { agentId, path: file } of listNestedAgents(`${dir}/${name}`))
        agents.push({ agentId, path: file, projectKey });
  }
  const found = matchId(agents, id, ({ agentId }) => agentId).map(
    ({ agentId, path: file, projectKey }): SessionRef => ({
      sessionId: sessionOfAgentFile(file) ?? agentId,
      projectKey,
      path: path.resolve(file),
    }),
  );
  if (found.length > 1) throw ambiguous(id, found);
  return found[0];
}
