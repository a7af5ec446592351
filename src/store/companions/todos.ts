import { readLegacyTodos } from "./legacy-todos.ts";
import type { CompanionProblem, CompanionsOf } from "./read-companion.ts";
import { readTaskList } from "./task-list.ts";
import type { TodoItem } from "./todo-item.ts";
import { readTodosInTranscript } from "./todos-in-transcript.ts";

/** A to-do list of a session, with where it was found. */
export type TodoList =
  | { source: "tasks"; path: string; items: TodoItem[]; highWatermark?: number }
  | { source: "todos"; path: string; agentId: string; items: TodoItem[] }
  /** Told by the transcript, because no file is left. */
  | { source: "transcript"; path: string; items: TodoItem[] };

export interface Todos {
  lists: TodoList[];
  problems: CompanionProblem[];
}

/** The to-do lists of a session in every form, newest form first; from the transcript when no file is left. */
export async function readTodos({ configDir, session, signal }: CompanionsOf): Promise<Todos> {
  const { sessionId } = session;
  const problems: CompanionProblem[] = [];
  const lists: TodoList[] = [];
  const tasks = readTaskList({ configDir, name: sessionId }, problems);
  if (tasks) {
    const { name: _, ...list } = tasks;
    lists.push({ source: "tasks", ...list });
  }
  for (const { path, agentId, items } of readLegacyTodos({ configDir, sessionId }, problems)) {
    lists.push({ source: "todos", path, agentId, items });
  }
  if (lists.length === 0) {
    const items = await readTodosInTranscript(session.path, { signal });
    if (items) lists.push({ source: "transcript", path: session.path, items });
  }
  return { lists, problems };
}
