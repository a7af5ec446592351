import { agentIdOfFile, isInternalAgent, sessionOfAgentFile } from "./agent-file.ts";
import { mayHold, type Whereabouts } from "./project-sessions.ts";
import { eachProjectFolder, listNestedAgents } from "./transcript-files.ts";

/** A sub-agent whose session has no transcript any more: it can be read by its id. */
export interface StrayAgent {
  agentId: string;
  sessionId: string;
  project: string;
  path: string;
}

/** Those of a project, or of all, in both layouts; without the client's own helpers. */
export function listStrayAgents(configDir: string, where: Whereabouts = {}): StrayAgent[] {
  const strays: StrayAgent[] = [];
  for (const folder of eachProjectFolder(configDir, { wants: (key) => mayHold(key, where) })) {
    const { path: dir, projectKey: project, sessions, sessionDirs, flatAgents } = folder;
    const known = new Set(sessions.map(({ sessionId }) => sessionId));
    for (const sessionId of sessionDirs) {
      if (known.has(sessionId)) continue;
      for (const { agentId, path } of listNestedAgents(`${dir}/${sessionId}`))
        strays.push({ agentId, sessionId, project, path });
    }
    for (const name of flatAgents) {
      const path = `${dir}/${name}`;
      const sessionId = sessionOfAgentFile(path);
      if (sessionId === undefined || known.has(sessionId)) continue;
      strays.push({ agentId: agentIdOfFile(name) ?? "", sessionId, project, path });
    }
  }
  return strays.filter(({ agentId }) => !isInternalAgent(agentId));
}
