import { agentIdOfFile, isInternalAgent, sessionOfAgentFile } from "./agent-file.ts";
import { isThere } from "../../lib/private-dir.ts";
import { cwdOf, isOf, mayHold, type Whereabouts } from "./project-sessions.ts";
import { eachProjectFolder, listNestedAgents, statFile } from "./transcript-files.ts";

/** A sub-agent whose session has no transcript any more: it can be read by its id. */
export interface StrayAgent {
  agentId: string;
  sessionId: string;
  project: string;
  path: string;
}

/** What is left in a project's folder of a session whose transcript is gone. */
export interface StrayFiles {
  sessionId: string;
  project: string;
  /** Its folder, and flat transcripts of its agents. */
  sources: string[];
}

/** That of a directory, by what the agents say: a folder without agents belongs to whoever the project's folder is named after. */
export function strayFilesOf(configDir: string, cwd: string): StrayFiles[] {
  const found = new Map<string, StrayFiles>();
  const add = (sessionId: string, project: string, source: string): void => {
    const known = found.get(sessionId) ?? { sessionId, project, sources: [] };
    known.sources.push(source);
    found.set(sessionId, known);
  };
  const isOurs = (project: string, agent: string | undefined): boolean => {
    const bytes = agent === undefined ? 0 : (statFile(agent)?.size ?? 0);
    return isOf({ project, cwd: agent === undefined ? undefined : cwdOf(agent, bytes) }, { cwd });
  };
  for (const folder of eachProjectFolder(configDir, { wants: (key) => mayHold(key, { cwd }) })) {
    const { path: dir, projectKey: project, sessions, sessionDirs, flatAgents } = folder;
    const known = new Set(sessions.map(({ sessionId }) => sessionId));
    for (const sessionId of sessionDirs) {
      const own = `${dir}/${sessionId}`;
      const isSession = OF_SESSIONS.some((name) => isThere(`${own}/${name}`));
      if (known.has(sessionId) || !isSession) continue;
      if (isOurs(project, listNestedAgents(own)[0]?.path)) add(sessionId, project, own);
    }
    for (const name of flatAgents) {
      const file = `${dir}/${name}`;
      const sessionId = sessionOfAgentFile(file) ?? name.replace(/\.jsonl$/, "");
      if (!known.has(sessionId) && isOurs(project, file)) add(sessionId, project, file);
    }
  }
  return [...found.values()];
}

// Other folders are not of sessions: `memory`.
const OF_SESSIONS = ["subagents", "tool-results"];

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
