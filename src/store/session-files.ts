import fs from "node:fs";
import path from "node:path";
import { configPaths } from "../format/paths.ts";
import { codeOf } from "../lib/errors.ts";
import { nodeFileOps, type FileOps } from "../lib/file-ops.ts";
import { namesIn } from "../lib/names-in.ts";
import { syncDir } from "../lib/private-dir.ts";
import { tempName } from "../lib/temp-name.ts";
import type { SessionRef } from "./find-session.ts";
import { listFlatAgents } from "./transcript-files.ts";

/** What of a session lies in its project's folder beside the transcript: its own folder and flat sub-agents. */
export function projectCompanions(session: SessionRef): string[] {
  const own = path.join(path.dirname(session.path), session.sessionId);
  return [...(isThere(own) ? [own] : []), ...listFlatAgents(session)];
}

/** What of a session lies elsewhere below the config folder: to-dos, task list, file history, environment. */
export function configCompanions(configDir: string, sessionId: string): string[] {
  const paths = configPaths(configDir);
  const todos = namesIn(paths.todosDir)
    .filter((name) => name.startsWith(`${sessionId}-agent-`))
    .map((name) => path.join(paths.todosDir, name));
  const dirs = [
    paths.taskListDir(sessionId),
    paths.fileHistoryDir(sessionId),
    paths.sessionEnvDir(sessionId),
    paths.mcpOutputsDir(sessionId),
  ];
  return [...todos, ...dirs.filter(isThere)];
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

export function isThere(file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
