import fs from "node:fs";
import path from "node:path";
import { isUuid } from "../../format/ids.ts";
import { configPaths } from "../../format/paths.ts";
import { namesIn } from "../../lib/names-in.ts";
import { listClientProcesses } from "../write/client-processes.ts";
import { eachProjectFolder } from "../list/transcript-files.ts";
import { listLegacyTodos } from "./legacy-todos.ts";
import { readFolderNames, type CompanionProblem } from "./read-companion.ts";
import { listTaskLists } from "./task-list.ts";

/** A companion whose session has no transcript any more. */
export interface Orphan {
  kind: OrphanKind;
  sessionId: string;
  path: string;
  files: number;
  bytes: number;
}

export type OrphanKind =
  | "todos"
  | "task-list"
  | "file-history"
  | "session-env"
  | "mcp-outputs"
  | "subagents"
  | "tool-results";

/**
 * Companions that outlived their session. A session of a running client is not gone, even before its first
 * line is written; a task list with a name of its own belongs to no single session. Only reports.
 */
export function listOrphans({ configDir }: { configDir: string }): {
  orphans: Orphan[];
  problems: CompanionProblem[];
} {
  const paths = configPaths(configDir);
  const problems: CompanionProblem[] = [];
  const onUnreadable = (dir: string): void => {
    problems.push({ path: dir, reason: "unreadable" });
  };
  const projects = [...eachProjectFolder(configDir, { onUnreadable })];
  const living = new Set([
    ...projects.flatMap(({ sessions }) => sessions.map(({ sessionId }) => sessionId)),
    ...listClientProcesses(configDir).map(({ sessionId }) => sessionId),
  ]);
  const orphans: Orphan[] = [];
  const add = (kind: OrphanKind, sessionId: string, file: string): void => {
    if (!isUuid(sessionId) || living.has(sessionId)) return;
    const size = sizeOf(file);
    if (size) orphans.push({ kind, sessionId, path: file, ...size });
  };

  for (const { sessionId, path: file } of listLegacyTodos(configDir, problems)) add("todos", sessionId, file);
  for (const name of listTaskLists(configDir, problems)) add("task-list", name, paths.taskListDir(name));
  const roots = {
    "file-history": paths.fileHistoryRootDir,
    "session-env": paths.sessionEnvRootDir,
    "mcp-outputs": paths.mcpOutputsRootDir,
  } as const;
  for (const [kind, root] of Object.entries(roots) as [keyof typeof roots, string][]) {
    for (const name of readFolderNames(root, problems)) add(kind, name, path.join(root, name));
  }
  for (const { path: dir, sessionDirs } of projects) {
    for (const name of sessionDirs) {
      for (const kind of ["subagents", "tool-results"] as const) add(kind, name, path.join(dir, name, kind));
    }
  }
  return { orphans, problems };
}

/** What a file, or a folder with all below it, holds; undefined when it is not there. Links count as themselves. */
function sizeOf(file: string): { files: number; bytes: number } | undefined {
  try {
    const stat = fs.lstatSync(file);
    if (!stat.isDirectory()) return { files: 1, bytes: stat.size };
  } catch {
    return undefined;
  }
  const total = { files: 0, bytes: 0 };
  for (const name of namesIn(file)) {
    const size = sizeOf(path.join(file, name));
    total.files += size?.files ?? 0;
    total.bytes += size?.bytes ?? 0;
  }
  return total;
}
