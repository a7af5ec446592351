import path from "node:path";
import { configPaths, isSafeName, projectKey } from "../format/paths.ts";
import { namesIn } from "../lib/names-in.ts";
import { listClientProcesses } from "../store/write/client-processes.ts";
import { isOld } from "./found-files.ts";
import type { LookingOptions } from "./looking-options.ts";
import { recoveredLaunchesMax } from "./limits.ts";
import { endOfAgent, lostAgent, readAgentMeta, type AgentMeta } from "./look-at-agent.ts";
import { readTranscriptEnd } from "./read-ending.ts";
import type { Look, RecoveredItem } from "./recovered-item.ts";

/**
 * Background agents by the files that the client keeps of them: those that have not ended, and of the session that asks
 * also those that have. One that was moved has a file in two sessions and is one agent.
 */
export function findAgents(options: LookingOptions): RecoveredItem[] {
  const { configDir, projectDir } = options;
  const paths = configPaths(configDir);
  const keys =
    projectDir === undefined ? namesIn(paths.projectsDir).filter(isSafeName) : [projectKey(projectDir)];
  const since = new Map(
    listClientProcesses(configDir).map(({ sessionId, startedAt }) => [sessionId, startedAt]),
  );
  const found = new Map<string, RecoveredItem>();
  for (const key of keys) {
    // The folders among them have no extension.
    const sessions = namesIn(paths.projectDir(key)).filter((name) => isSafeName(name) && !name.includes("."));
    for (const sessionId of sessions) {
      const dir = paths.subagentsDir({ projectKey: key, sessionId });
      for (const name of namesIn(dir)) {
        if (found.size >= recoveredLaunchesMax) return wanted(found, options);
        const id = /^agent-([\w-]+)\.meta\.json$/.exec(name)?.[1];
        if (id === undefined || options.known.has(id)) continue;
        const transcript = path.join(dir, `agent-${id}.jsonl`);
        const item = agentOf({ id, sessionId, transcript, clientSince: since.get(sessionId) }, options);
        if (item && isBetter(item, found.get(id))) found.set(id, item);
      }
    }
  }
  return wanted(found, options);
}

// What one session has lost may go on in another, and an ending is true wherever it stands.
function isBetter(item: RecoveredItem, known: RecoveredItem | undefined): boolean {
  const rank = ({ status }: RecoveredItem): number => (status === "lost" ? 0 : status === "running" ? 1 : 2);
  return known === undefined || rank(item) > rank(known);
}

function wanted(found: ReadonlyMap<string, RecoveredItem>, { sessionId }: LookingOptions): RecoveredItem[] {
  const hasEnded = ({ status }: RecoveredItem): boolean => status !== "running" && status !== "lost";
  return [...found.values()].filter((item) => !hasEnded(item) || item.sessionId === sessionId);
}

interface AgentFile {
  id: string;
  sessionId: string;
  transcript: string;
  /** When the client that has its session open began. */
  clientSince: number | undefined;
}

function agentOf(file: AgentFile, options: LookingOptions): RecoveredItem | undefined {
  const { id, sessionId, transcript } = file;
  const meta = readAgentMeta(transcript);
  if (!meta?.isBackground || isOld(meta.writtenAt, options.clock)) return undefined;
  const end = readTranscriptEnd(transcript);
  const cwd = options.projectDir ?? cwdIn(end?.text ?? "");
  const look = endOfAgent(transcript) ?? unended(file, { meta, cwd, options });
  return {
    id,
    kind: "local_agent",
    owner: "client",
    description: meta.description,
    prompt: "",
    agentType: meta.agentType,
    cwd,
    sessionId,
    startedAt: meta.writtenAt,
    outputFile: transcript,
    fingerprint: "",
    seenBy: [],
    isUnseen: true,
    ...look,
  };
}

// A client that began later than the agent has not launched it.
function unended(
  { id, sessionId, transcript, clientSince }: AgentFile,
  { meta, cwd, options }: { meta: AgentMeta; cwd: string; options: LookingOptions },
): Look {
  if (clientSince !== undefined && Date.parse(meta.writtenAt) >= clientSince)
    return { status: "running", knownBy: ["agent meta"] };
  const moved = options.lookMoved({ agent_id: id, session_id: sessionId, cwd, transcript });
  return moved ?? lostAgent(readTranscriptEnd(transcript));
}

function cwdIn(transcriptEnd: string): string {
  const found = /"cwd":("(?:[^"\\]|\\.)*")/.exec(transcriptEnd)?.[1];
  return found === undefined ? "" : (JSON.parse(found) as string);
}
