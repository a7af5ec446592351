import fs from "node:fs";
import { configPaths, isSafeName } from "../format/paths.ts";
import { codeOf } from "../lib/errors.ts";
import { agentIdOfFile } from "./agent-file.ts";

/** A main transcript as the folders show it, before anything of it is read. */
export interface TranscriptFile {
  path: string;
  projectKey: string;
  sessionId: string;
  bytes: number;
  mtimeMs: number;
  inode: number;
  /** When the file was made, as far as the file system knows. */
  bornMs: number;
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
export function listProjectFolders(configDir: string, options: ProjectFoldersOptions = {}): ProjectFolder[] {
  return [...eachProjectFolder(configDir, options)];
}

export interface ProjectFoldersOptions {
  wants?: (key: string) => boolean;
  onUnreadable?: (dir: string, error: Error) => void;
}

/** The same, each read when it is asked for. */
export function* eachProjectFolder(
  configDir: string,
  { wants = () => true, onUnreadable }: ProjectFoldersOptions = {},
): Generator<ProjectFolder> {
  const root = configPaths(configDir).projectsDir;
  for (const key of readNames(root, onUnreadable)) {
    if (!isSafeName(key) || !wants(key)) continue;
    yield readProjectFolder(`${root}/${key}`, key, onUnreadable);
  }
}

/** One folder of transcripts. Dot files are other programs' temporary files, never transcripts. */
export function readProjectFolder(
  dir: string,
  projectKey: string,
  onUnreadable?: (dir: string, error: Error) => void,
): ProjectFolder {
  const folder: ProjectFolder = {
    projectKey,
    path: dir,
    sessions: [],
    flatAgents: [],
    sessionDirs: new Set(),
  };
  let denied: Error | undefined;
  for (const name of readNames(dir, onUnreadable)) {
    if (name.startsWith(".")) continue;
    if (!name.endsWith(".jsonl")) {
      // Folders have no extension; asking the system about each name would cost more than it tells.
      if (!name.includes(".")) folder.sessionDirs.add(name);
    } else if (name.startsWith("agent-")) folder.flatAgents.push(name);
    else {
      try {
        // Put together and taken apart by hand, here and below: for a list of thousands, node:path would take as long
        // as all else.
        const file = statTranscript(`${dir}/${name}`, projectKey, name);
        if (file) folder.sessions.push(file);
      } catch (error) {
        if (!isDenied(error)) throw error;
        denied = error as Error;
      }
    }
  }
  // A folder of which the names may be read, but not what they stand for.
  if (denied) onUnreadable?.(dir, denied);
  return folder;
}

/** The file as a transcript; undefined when it is gone or not a regular file. Links are followed: we only read. */
export function statTranscript(
  file: string,
  projectKey: string,
  name: string = file.slice(file.lastIndexOf("/") + 1),
): TranscriptFile | undefined {
  let stat: fs.Stats | undefined;
  try {
    stat = fs.statSync(file, ABSENCE_IS_NO_ERROR);
  } catch (error) {
    // A link in a circle, and names that no file can have.
    if (["ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
  if (!stat?.isFile()) return undefined;
  const sessionId = name.endsWith(".jsonl") ? name.slice(0, -".jsonl".length) : name;
  const { size: bytes, mtimeMs, ino: inode, birthtimeMs: bornMs } = stat;
  return { path: file, projectKey, sessionId, bytes, mtimeMs, inode, bornMs };
}

const ABSENCE_IS_NO_ERROR = { throwIfNoEntry: false } as const;

/** Agent ids of the nested sub-agent transcripts of a session, those of its workflows too. */
export function listNestedAgents(sessionDir: string): string[] {
  const dir = `${sessionDir}/subagents`;
  const names = readNames(dir);
  if (names.includes("workflows")) {
    const workflows = `${dir}/workflows`;
    for (const workflow of readNames(workflows)) names.push(...readNames(`${workflows}/${workflow}`));
  }
  return names.map(agentIdOfFile).filter((agentId) => agentId !== undefined);
}

function readNames(dir: string, onUnreadable?: (dir: string, error: Error) => void): string[] {
  try {
    return fs.readdirSync(dir).sort();
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    if (!isDenied(error)) throw error;
    onUnreadable?.(dir, error as Error);
    return [];
  }
}

export function isDenied(error: unknown): boolean {
  return codeOf(error) === "EACCES" || codeOf(error) === "EPERM";
}
