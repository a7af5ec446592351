import fs from "node:fs";
import path from "node:path";
import { configPaths, isSafeName } from "../format/paths.ts";
import { codeOf } from "../lib/errors.ts";

/** A main transcript as the folders show it, before anything of it is read. */
export interface TranscriptFile {
  path: string;
  projectKey: string;
  sessionId: string;
  bytes: number;
  mtimeMs: number;
  inode: number;
}

/** The transcripts of one project folder, with what lies beside them. */
export interface ProjectFolder {
  projectKey: string;
  path: string;
  sessions: TranscriptFile[];
  /** Names of flat sub-agent transcripts (the 2.0.x layout). */
  flatAgents: string[];
  /** Sessions that have a folder of their own: nested sub-agents, spilled tool results. */
  sessionDirs: Set<string>;
}

/** Every project folder, or those that `wants` accepts. A folder that cannot be read is left out and reported. */
export function listProjectFolders(
  configDir: string,
  {
    wants = () => true,
    onUnreadable,
  }: { wants?: (key: string) => boolean; onUnreadable?: (dir: string, error: Error) => void } = {},
): ProjectFolder[] {
  const root = configPaths(configDir).projectsDir;
  const folders: ProjectFolder[] = [];
  for (const key of readNames(root, onUnreadable)) {
    if (!isSafeName(key) || !wants(key)) continue;
    const folder = readProjectFolder(path.join(root, key), key, onUnreadable);
    if (folder) folders.push(folder);
  }
  return folders;
}

function readProjectFolder(
  dir: string,
  projectKey: string,
  onUnreadable?: (dir: string, error: Error) => void,
): ProjectFolder | undefined {
  const folder: ProjectFolder = {
    projectKey,
    path: dir,
    sessions: [],
    flatAgents: [],
    sessionDirs: new Set(),
  };
  for (const name of readNames(dir, onUnreadable)) {
    if (!name.endsWith(".jsonl")) {
      // Folders have no extension; asking the system about each name would cost more than it tells.
      if (!name.includes(".")) folder.sessionDirs.add(name);
    } else if (name.startsWith("agent-")) folder.flatAgents.push(name);
    else {
      const file = statTranscript(path.join(dir, name), projectKey);
      if (file) folder.sessions.push(file);
    }
  }
  return folder;
}

/** The file as a transcript; undefined when it is gone or not a regular file. Links are followed: we only read. */
export function statTranscript(file: string, projectKey: string): TranscriptFile | undefined {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) return undefined;
  const sessionId = path.basename(file, ".jsonl");
  return { path: file, projectKey, sessionId, bytes: stat.size, mtimeMs: stat.mtimeMs, inode: stat.ino };
}

/** Agent ids of the nested sub-agent transcripts of a session, in name order. */
export function listNestedAgents(sessionDir: string): string[] {
  return readNames(path.join(sessionDir, "subagents"))
    .filter((name) => name.startsWith("agent-") && name.endsWith(".jsonl"))
    .map((name) => name.slice("agent-".length, -".jsonl".length));
}

function readNames(dir: string, onUnreadable?: (dir: string, error: Error) => void): string[] {
  try {
    return fs.readdirSync(dir).sort();
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    if (onUnreadable && (code === "EACCES" || code === "EPERM")) onUnreadable(dir, error as Error);
    else if (code !== "EACCES" && code !== "EPERM") throw error;
    return [];
  }
}
