import path from "node:path";
import { configPaths } from "../../format/paths.ts";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { readJsonCompanion, readNames, type CompanionProblem } from "./read-companion.ts";
import { parseTodoItem, type TodoItem } from "./todo-item.ts";

export interface LegacyTodosFile {
  sessionId: string;
  /** The session's own id for the main agent. */
  agentId: string;
  path: string;
}

/** The list of one agent of a session, as TodoWrite kept it until 2.1.15. */
export interface LegacyTodos extends LegacyTodosFile {
  items: TodoItem[];
}

/** Every to-do file, whosever it is. Names that are none are left out. */
export function listLegacyTodos(configDir: string, problems: CompanionProblem[]): LegacyTodosFile[] {
  const { todosDir } = configPaths(configDir);
  return readNames(todosDir, problems).flatMap((name) => {
    const parts = /^(.+?)-agent-(.+)\.json$/.exec(name);
    if (!parts || name.startsWith(".")) return [];
    return [{ sessionId: parts[1]!, agentId: parts[2]!, path: path.join(todosDir, name) }];
  });
}

/** The lists of a session: its own first, then those of its sub-agents. Items that are none are a problem. */
export function readLegacyTodos(
  { configDir, sessionId }: { configDir: string; sessionId: string },
  problems: CompanionProblem[],
): LegacyTodos[] {
  const lists: LegacyTodos[] = [];
  for (const file of listLegacyTodos(configDir, problems)) {
    if (file.sessionId !== sessionId) continue;
    const read = readJsonCompanion(file.path, problems);
    if (read === undefined) continue;
    const values = Array.isArray(read) ? read : [undefined];
    const items = values.map(parseTodoItem).filter((item) => item !== undefined);
    if (items.length < values.length) problems.push({ path: file.path, reason: "wrong-shape" });
    if (Array.isArray(read)) lists.push({ ...file, items });
  }
  return lists.sort((a, b) => Number(b.agentId === sessionId) - Number(a.agentId === sessionId));
}

/** Replaces an agent's list, whole or not at all, in the shape clients from 1.0.98 on read; returns its path. */
export function writeLegacyTodos(
  { configDir, sessionId, agentId }: { configDir: string; sessionId: string; agentId: string },
  items: readonly TodoItem[],
  files: FileOps = nodeFileOps,
): string {
  const paths = configPaths(configDir);
  ensurePrivateDir(paths.todosDir, files);
  const file = paths.todosPath({ sessionId, agentId });
  const todos = items.map(({ subject, status, activeForm }) => ({
    content: subject,
    status,
    activeForm: activeForm ?? subject,
  }));
  writeFileAtomic(file, JSON.stringify(todos, null, 2), { files });
  return file;
}
