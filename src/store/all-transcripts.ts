import fs from "node:fs";
import { isSafeName } from "../format/paths.ts";
import { agentIdOfFile } from "./agent-file.ts";
import { eachProjectFolder, type ProjectFolder } from "./transcript-files.ts";

/** Any transcript: of a session, or of one of its sub-agents. */
export interface AnyTranscript {
  path: string;
  projectKey: string;
  /** Unknown from the folders alone for sub-agents of the flat layout: their first line says it. */
  sessionId: string | undefined;
  /** Only of sub-agents. */
  agentId?: string | undefined;
  bytes: number;
  mtimeMs: number;
  inode: number;
  /** When the file was made, as far as the file system knows. */
  bornMs: number;
}

export interface AllTranscriptsOptions {
  wants?: (projectKey: string) => boolean;
  onUnreadable?: (dir: string, error: Error) => void;
  /** Told what a folder has before the next one is read. */
  onFolder?: ((transcripts: readonly AnyTranscript[]) => void) | undefined;
}

/** Every transcript below the config folder, sub-agents in all layouts too, from the folders alone. */
export function listAllTranscripts(
  configDir: string,
  { wants, onUnreadable, onFolder }: AllTranscriptsOptions = {},
): AnyTranscript[] {
  const found: AnyTranscript[] = [];
  const folders = eachProjectFolder(configDir, {
    ...(wants && { wants }),
    ...(onUnreadable && { onUnreadable }),
  });
  for (const folder of folders) {
    const before = found.length;
    for (const session of folder.sessions) found.push(session);
    for (const name of folder.flatAgents) {
      addFile(found, `${folder.path}/${name}`, { folder, agentId: agentIdOfFile(name) });
    }
    for (const sessionId of folder.sessionDirs) addNested(found, { folder, sessionId });
    onFolder?.(found.slice(before));
  }
  return found;
}

interface Owner {
  folder: ProjectFolder;
  sessionId?: string | undefined;
  agentId?: string | undefined;
}

function addNested(found: AnyTranscript[], owner: { folder: ProjectFolder; sessionId: string }): void {
  const dir = `${owner.folder.path}/${owner.sessionId}/subagents`;
  for (const name of namesIn(dir)) {
    if (name === "workflows") {
      for (const workflow of namesIn(`${dir}/workflows`)) {
        if (isSafeName(workflow)) addAgents(found, `${dir}/workflows/${workflow}`, owner);
      }
    } else addAgent(found, dir, { ...owner, name });
  }
}

function addAgents(
  found: AnyTranscript[],
  dir: string,
  owner: { folder: ProjectFolder; sessionId: string },
): void {
  for (const name of namesIn(dir)) addAgent(found, dir, { ...owner, name });
}

function addAgent(found: AnyTranscript[], dir: string, owner: Owner & { name: string }): void {
  const agentId = agentIdOfFile(owner.name);
  if (agentId !== undefined) addFile(found, `${dir}/${owner.name}`, { ...owner, agentId });
}

// What is gone or refused since the folder was read is left out, as it would be a moment later.
function addFile(found: AnyTranscript[], path: string, { folder, sessionId, agentId }: Owner): void {
  let stat: fs.Stats | undefined;
  try {
    stat = fs.statSync(path, { throwIfNoEntry: false });
  } catch {
    return;
  }
  if (!stat?.isFile()) return;
  found.push({
    path,
    projectKey: folder.projectKey,
    sessionId,
    agentId,
    bytes: stat.size,
    mtimeMs: stat.mtimeMs,
    inode: stat.ino,
    bornMs: stat.birthtimeMs,
  });
}

function namesIn(dir: string): string[] {
  try {
    return fs.readdirSync(dir).sort();
  } catch {
    return [];
  }
}
