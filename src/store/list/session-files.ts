import fs from "node:fs";
import path from "node:path";
import { configPaths } from "../../format/paths.ts";
import { codeOf } from "../../lib/errors.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { namesIn } from "../../lib/names-in.ts";
import { isThere, syncDir } from "../../lib/private-dir.ts";
import { tempName } from "../../lib/temp-name.ts";
import type { SessionRef } from "./find-session.ts";
import { flatAgentsBySession } from "./transcript-files.ts";

type FilesBySession = Map<string | undefined, string[]>;

/** Remembers what lies in the folders that sessions share: who asks about many of them reads each folder once. */
export class SharedFolders {
  readonly #known = new Map<string, FilesBySession>();

  filesOf(sessionId: string, dir: string, list: (dir: string) => FilesBySession): string[] {
    const files = this.#known.get(dir) ?? list(dir);
    this.#known.set(dir, files);
    return files.get(sessionId) ?? [];
  }
}

/** What of a session lies in its project's folder beside the transcript: its own folder and flat sub-agents. */
export function projectCompanions(
  session: SessionRef,
  shared: SharedFolders = new SharedFolders(),
): string[] {
  const dir = path.dirname(session.path);
  const own = path.join(dir, session.sessionId);
  return [...(isThere(own) ? [own] : []), ...shared.filesOf(session.sessionId, dir, flatAgentsBySession)];
}

/** What of a session lies elsewhere below the config folder: to-dos, task list, file history, environment. */
export function configCompanions(
  configDir: string,
  sessionId: string,
  shared: SharedFolders = new SharedFolders(),
): string[] {
  const paths = configPaths(configDir);
  const dirs = [
    paths.taskListDir(sessionId),
    paths.fileHistoryDir(sessionId),
    paths.sessionEnvDir(sessionId),
    paths.mcpOutputsDir(sessionId),
  ];
  return [...shared.filesOf(sessionId, paths.todosDir, todosBySession), ...dirs.filter(isThere)];
}

// `<sessionId>-agent-<agentId>.json`. An id may itself hold "-agent-", so that each beginning may be one.
function todosBySession(dir: string): FilesBySession {
  const found: FilesBySession = new Map();
  for (const name of namesIn(dir)) {
    for (const { index } of name.matchAll(/-(?=agent-)/g)) {
      const sessionId = name.slice(0, index);
      const todos = found.get(sessionId) ?? [];
      todos.push(path.join(dir, name));
      found.set(sessionId, todos);
    }
  }
  return found;
}

/**
 * Moves a file or folder to a name that is free; never replaces what is there (EEXIST, ENOTEMPTY). A move that was
 * cut off in the middle is finished by the same call again.
 */
export function moveTo(from: string, to: string, files: FileOps = nodeFileOps): void {
  files.mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
  const isFolder = fs.lstatSync(from).isDirectory();
  let isCopied = false;
  try {
    if (isFolder) files.renameSync(from, to);
    // A rename would replace a file that appeared meanwhile; a link cannot.
    else if (!isSameFile(from, to)) files.linkSync(from, to);
  } catch (error) {
    if (codeOf(error) !== "EXDEV" && codeOf(error) !== "EPERM") throw error;
    copyTo(from, to, files);
    isCopied = true;
  }
  if (!isFolder) files.unlinkSync(from);
  else if (isCopied) fs.rmSync(from, { recursive: true });
  syncDir(path.dirname(to), files);
  syncDir(path.dirname(from), files);
}

/** Whether both names stand for one file, as between the two halves of a move. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((file) => fs.lstatSync(file, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

// To another file system: under a temporary name until it is whole and synced.
function copyTo(from: string, to: string, files: FileOps): void {
  const temp = tempName(to);
  try {
    fs.cpSync(from, temp, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    syncTree(temp, files);
    if (isThere(to)) throw Object.assign(new Error(`EEXIST: "${to}" exists`), { code: "EEXIST" });
    files.renameSync(temp, to);
    syncDir(path.dirname(to), files);
  } catch (error) {
    fs.rmSync(temp, { recursive: true, force: true });
    throw error;
  }
}

function syncTree(file: string, files: FileOps): void {
  const stat = fs.lstatSync(file);
  if (stat.isDirectory()) {
    for (const name of fs.readdirSync(file)) syncTree(path.join(file, name), files);
    syncDir(file, files);
  } else if (stat.isFile()) {
    const fd = files.openSync(file, "r");
    try {
      files.fsyncSync(fd);
    } finally {
      files.closeSync(fd);
    }
  }
}
