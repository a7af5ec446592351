import fs from "node:fs";
import { configPaths, isSafeName } from "../../format/paths.ts";
import { codeOf } from "../../lib/errors.ts";
import { isDenied, namesIn, type OnUnreadable } from "../../lib/names-in.ts";
import type { LookedAtFile } from "../index/covered-files.ts";
import { agentIdOfFile, sessionOfAgentFile } from "./agent-file.ts";

/** A main transcript as the folders show it, before anything of it is read. */
export interface TranscriptFile extends LookedAtFile {
  projectKey: string;
  sessionId: string;
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

/**
 * Every project folder, or those that `wants` accepts, one after the other: whoever keeps little of each can look at many
 * thousand transcripts. A folder that cannot be read is left out and reported.
 */
export function* eachProjectFolder(
  configDir: string,
  {
    wants = () => true,
    onUnreadable,
  }: { wants?: (key: string) => boolean; onUnreadable?: OnUnreadable | undefined } = {},
): Generator<ProjectFolder> {
  const root = configPaths(configDir).projectsDir;
  for (const key of namesIn(root, onUnreadable).sort())
    if (isSafeName(key) && wants(key)) yield readProjectFolder(`${root}/${key}`, key, onUnreadable);
}

/** One folder of transcripts. Dot files are other programs' temporary files, never transcripts. */
export function readProjectFolder(
  dir: string,
  projectKey: string,
  onUnreadable?: OnUnreadable,
): ProjectFolder {
  const folder: ProjectFolder = {
    projectKey,
    path: dir,
    sessions: [],
    flatAgents: [],
    sessionDirs: new Set(),
  };
  let denied: Error | undefined;
  for (const name of namesIn(dir, onUnreadable).sort()) {
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
  const stat = statFile(file);
  if (!stat) return undefined;
  const sessionId = name.endsWith(".jsonl") ? name.slice(0, -".jsonl".length) : name;
  const { size: bytes, mtimeMs, ino: inode, birthtimeMs: bornMs } = stat;
  return { path: file, projectKey, sessionId, bytes, mtimeMs, inode, bornMs };
}

/** Undefined when there is no regular file. Throws when it may not be looked at. */
export function statFile(file: string): fs.Stats | undefined {
  try {
    const stat = fs.statSync(file, ABSENCE_IS_NO_ERROR);
    return stat?.isFile() ? stat : undefined;
  } catch (error) {
    // A link in a circle, and names that no file can have.
    if (["ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}

const ABSENCE_IS_NO_ERROR = { throwIfNoEntry: false } as const;

/** The transcript of a sub-agent in its session's own folder. */
export interface NestedAgent {
  agentId: string;
  path: string;
  isOfWorkflow: boolean;
}

/** The sub-agents in a session's own folder, those of its workflows too. */
export function listNestedAgents(sessionDir: string, onUnreadable?: OnUnreadable): NestedAgent[] {
  const dir = `${sessionDir}/subagents`;
  const names = namesIn(dir, onUnreadable);
  const found: NestedAgent[] = [];
  addAgents(found, names, { dir, isOfWorkflow: false });
  if (!names.includes("workflows")) return found;
  for (const workflow of namesIn(`${dir}/workflows`, onUnreadable).sort()) {
    if (!isSafeName(workflow)) continue;
    const ofWorkflow = { dir: `${dir}/workflows/${workflow}`, isOfWorkflow: true };
    addAgents(found, namesIn(ofWorkflow.dir, onUnreadable), ofWorkflow);
  }
  return found;
}

/** The flat sub-agent transcripts of a session. */
export function listFlatAgents({ path: file, sessionId }: { path: string; sessionId: string }): string[] {
  return flatAgentsBySession(file.slice(0, file.lastIndexOf("/"))).get(sessionId) ?? [];
}

/** The flat sub-agent transcripts of a project's folder, by session: their first lines name it. */
export function flatAgentsBySession(dir: string): Map<string | undefined, string[]> {
  const found: NestedAgent[] = [];
  addAgents(found, namesIn(dir), { dir, isOfWorkflow: false });
  return Map.groupBy(
    found.map((agent) => agent.path),
    sessionOfAgentFile,
  );
}

function addAgents(
  found: NestedAgent[],
  names: string[],
  { dir, isOfWorkflow }: { dir: string; isOfWorkflow: boolean },
): void {
  for (const name of names.sort()) {
    const agentId = agentIdOfFile(name);
    if (agentId !== undefined) found.push({ agentId, path: `${dir}/${name}`, isOfWorkflow });
  }
}
