import fs from "node:fs";
import path from "node:path";
import { configPaths } from "../format/paths.ts";
import { codeOf } from "../lib/errors.ts";
import { nodeFileOps, type FileOps } from "../lib/file-ops.ts";
import { syncDir } from "../lib/private-dir.ts";
import type { SessionRef } from "./find-session.ts";
import { agentIdOfFile, sessionOfAgentFile } from "./agent-file.ts";

/** What of a session lies in its project's folder beside the transcript: its own folder and flat sub-agents. */
export function projectCompanions(session: SessionRef): string[] {
  const dir = path.dirname(session.path);
  const own = path.join(dir, session.sessionId);
  const flat = fs
    .readdirSync(dir)
    .filter((name) => agentIdOfFile(name) !== undefined)
    .map((name) => path.join(dir, name))
    .filter((file) => sessionOfAgentFile(file) === session.sessionId);
  return [...(isThere(own) ? [own] : []), ...flat];
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

/** Moves a file or folder to a name that is free; never replaces what is there (EEXIST, ENOTEMPTY). */
export function moveTo(from: string, to: string, files: FileOps = nodeFileOps): void {
  files.mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
  const isFolder = fs.lstatSync(from).isDirectory();
  try {
    if (isFolder) files.renameSync(from, to);
    else {
      // A rename would replace a file that appeared meanwhile; a link cannot.
      files.linkSync(from, to);
      files.unlinkSync(from);
    }
  } catch (error) {
    if (codeOf(error) !== "EXDEV" && codeOf(error) !== "EPERM") throw error;
    fs.cpSync(from, to, {
      recursive: true,
      verbatimSymlinks: true,
      errorOnExist: true,
      force: false,
      preserveTimestamps: true,
    });
    fs.rmSync(from, { recursive: true });
  }
  syncDir(path.dirname(to), files);
  syncDir(path.dirname(from), files);
}

export function isThere(file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function namesIn(dir: string): string[] {
  try {
    return fs.readdirSync(dir);
  } catch {
    return [];
  }
}
