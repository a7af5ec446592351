import type fs from "node:fs";
import { configPaths } from "../../format/paths.ts";
import { isDenied, type OnUnreadable } from "../../lib/names-in.ts";
import { agentIdOfFile } from "./agent-file.ts";
import { eachProjectFolder, listNestedAgents, statFile, type TranscriptFile } from "./transcript-files.ts";

/** Any transcript: of a session, or of one of its sub-agents. */
export interface AnyTranscript extends Omit<TranscriptFile, "sessionId"> {
  /** Unknown from the folders alone for sub-agents of the flat layout: their first line says it. */
  sessionId: string | undefined;
  /** Only of sub-agents. */
  agentId?: string | undefined;
}

export interface AllTranscriptsOptions {
  wants?: (projectKey: string) => boolean;
  onUnreadable?: OnUnreadable | undefined;
}

/** Transcripts, and the folder that they are below. */
export interface TranscriptFolder {
  path: string;
  transcripts: AnyTranscript[];
}

/** Every transcript below the config folder, sub-agents in all layouts too, from the folders alone. */
export function listAllTranscripts(configDir: string, options?: AllTranscriptsOptions): AnyTranscript[] {
  return [...eachTranscriptFolder(configDir, options)].flatMap(({ transcripts }) => transcripts);
}

/** The same, one project after the other. */
export function* eachTranscriptFolder(
  configDir: string,
  { wants, onUnreadable }: AllTranscriptsOptions = {},
): Generator<TranscriptFolder> {
  const told = new Set<string>();
  const tellOnce: OnUnreadable = (dir, error) => {
    if (!told.has(dir)) onUnreadable?.(dir, error);
    told.add(dir);
  };
  for (const folder of eachProjectFolder(configDir, { ...(wants && { wants }), onUnreadable: tellOnce })) {
    const transcripts: AnyTranscript[] = folder.sessions;
    const addAgent = (path: string, agentId: string | undefined, sessionId?: string): void => {
      const stat = statOrTell(path, tellOnce);
      if (!stat) return;
      const { size: bytes, mtimeMs, ino: inode, birthtimeMs: bornMs } = stat;
      const { projectKey } = folder;
      transcripts.push({ path, projectKey, sessionId, agentId, bytes, mtimeMs, inode, bornMs });
    };
    for (const name of folder.flatAgents) addAgent(`${folder.path}/${name}`, agentIdOfFile(name));
    for (const sessionId of folder.sessionDirs) {
      const agents = listNestedAgents(`${folder.path}/${sessionId}`, tellOnce);
      for (const { path, agentId } of agents) addAgent(path, agentId, sessionId);
    }
    yield { path: folder.path, transcripts };
  }
}

/** The transcript at a path that one of these lists gave; undefined when it is gone. */
export function transcriptAt(configDir: string, path: string): AnyTranscript | undefined {
  const stat = statOrTell(path, () => {});
  if (!stat) return undefined;
  const { size: bytes, mtimeMs, ino: inode, birthtimeMs: bornMs } = stat;
  const [projectKey = "", ...names] = path.slice(configPaths(configDir).projectsDir.length + 1).split("/");
  const agentId = agentIdOfFile(names.at(-1)!);
  const file = agentId === undefined ? names[0]!.slice(0, -".jsonl".length) : undefined;
  // Nested, a sub-agent is below a folder that is named after the session.
  const sessionId = names.length > 1 ? names[0] : file;
  return { path, projectKey, sessionId, agentId, bytes, mtimeMs, inode, bornMs };
}

// A folder may show its names but not what they stand for.
function statOrTell(file: string, onUnreadable: OnUnreadable): fs.Stats | undefined {
  try {
    return statFile(file);
  } catch (error) {
    if (!isDenied(error)) throw error;
    onUnreadable(file.slice(0, file.lastIndexOf("/")), error as Error);
    return undefined;
  }
}
