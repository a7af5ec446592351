import { toolResultsOf, toolUsesOf } from "../../format/entry-kinds.ts";
import type { Entry } from "../../format/index.ts";
import { isJsonObject } from "../../format/json-object.ts";
import { parseToolUseResult } from "../../format/tool-use-result.ts";
import { entryOfLine } from "../line/read-line.ts";
import { scanTranscript } from "../line/scan-transcript.ts";
import { parseTodoItem, type TodoItem } from "./todo-item.ts";

const MARKERS = ["TodoWrite", "TaskCreate", "TaskUpdate", '"task":{', '"taskId"'].map((text) =>
  Buffer.from(text),
);

/**
 * The to-do list as the transcript itself tells it, for sessions whose files were swept away: the last
 * TodoWrite, or the tasks that TaskCreate and TaskUpdate left, whichever spoke last. Undefined if none did.
 */
export async function readTodosInTranscript(
  file: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<TodoItem[] | undefined> {
  const replay = new TodoReplay();
  const visit = (line: Buffer): void => {
    if (!MARKERS.some((marker) => line.includes(marker))) return;
    const entry = entryOfLine(line);
    if (entry) replay.add(entry);
  };
  await scanTranscript(file, visit, options);
  return replay.items;
}

type Input = Record<string, unknown>;

class TodoReplay {
  items: TodoItem[] | undefined;
  // Inputs of task calls by tool use, until their result says that they took effect.
  readonly #asked = new Map<string, Input>();
  readonly #tasks = new Map<string, TodoItem>();

  add(entry: Entry): void {
    for (const { id, name, input } of toolUsesOf(entry)) {
      if (!isJsonObject(input)) continue;
      if (name === "TodoWrite" && Array.isArray(input["todos"])) {
        this.items = input["todos"].map(parseTodoItem).filter((item) => item !== undefined);
      } else if (name === "TaskCreate" || name === "TaskUpdate") this.#asked.set(id, input);
    }
    for (const { tool_use_id: id } of toolResultsOf(entry)) {
      const input = this.#asked.get(id);
      if (!input) continue;
      this.#asked.delete(id);
      this.#apply(input, (entry as { toolUseResult?: unknown }).toolUseResult);
    }
  }

  #apply(input: Input, value: unknown): void {
    const { kind, result } = parseToolUseResult(value);
    if (kind === "task-create") {
      const task = parseTodoItem({
        blocks: [],
        blockedBy: [],
        ...input,
        id: result.task.id,
        status: "pending",
      });
      if (task) this.#tasks.set(result.task.id, task);
    } else if (kind === "task-update" && result.success) this.#update(result.taskId, input);
    else return;
    this.items = [...this.#tasks.values()];
  }

  #update(id: string, input: Input): void {
    const task = this.#tasks.get(id);
    if (!task) return;
    if (input["status"] === "deleted") {
      this.#tasks.delete(id);
      return;
    }
    const updated = parseTodoItem({ ...task, ...input, id });
    if (!updated) return;
    updated.blocks = union(task.blocks, input["addBlocks"]);
    updated.blockedBy = union(task.blockedBy, input["addBlockedBy"]);
    this.#tasks.set(id, updated);
  }
}

function union(ids: readonly string[] = [], added: unknown): string[] {
  return [...new Set([...ids, ...(Array.isArray(added) ? added.map(String) : [])])];
}
