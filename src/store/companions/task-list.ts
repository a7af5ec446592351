import path from "node:path";
import { configPaths } from "../../format/paths.ts";
import {
  readCompanion,
  readFolderNames,
  readJsonCompanion,
  readNames,
  type CompanionProblem,
} from "./read-companion.ts";
import { parseTodoItem, type TodoItem } from "./todo-item.ts";

/** A list of TaskCreate and TaskUpdate (from 2.1.17): a folder with one file for each task. */
export interface TaskList {
  /** The session's id, or a name of its own when sessions share it. */
  name: string;
  path: string;
  /** By id, which counts up. */
  items: TodoItem[];
  /** The highest id ever given, so that one of a deleted task is not given again. */
  highWatermark?: number;
}

export function listTaskLists(configDir: string, problems: CompanionProblem[]): string[] {
  return readFolderNames(configPaths(configDir).taskListsDir, problems);
}

/**
 * Reads a list; undefined when its folder holds no task. The client's `.lock` stays where it is and is not
 * taken: each task is replaced by one rewrite of its file, and one caught in the middle is a problem.
 */
export function readTaskList(
  { configDir, name }: { configDir: string; name: string },
  problems: CompanionProblem[],
): TaskList | undefined {
  const dir = configPaths(configDir).taskListDir(name);
  const items: TodoItem[] = [];
  const names = readNames(dir, problems).filter((file) => /^[^.].*\.json$/.test(file));
  for (const fileName of names) {
    const file = path.join(dir, fileName);
    const read = readJsonCompanion(file, problems);
    if (read === undefined) continue;
    const item = parseTodoItem(read);
    if (item) items.push({ id: path.basename(fileName, ".json"), ...item });
    else problems.push({ path: file, reason: "wrong-shape" });
  }
  if (names.length === 0) return undefined;
  items.sort((a, b) => Number(a.id) - Number(b.id) || String(a.id).localeCompare(String(b.id)));
  const highWatermark = readHighWatermark(path.join(dir, ".highwatermark"));
  return { name, path: dir, items, ...(highWatermark !== undefined && { highWatermark }) };
}

function readHighWatermark(file: string): number | undefined {
  const read = readCompanion(file);
  const value = read.kind === "read" ? Number.parseInt(read.bytes.toString("utf8"), 10) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}
