import { readJson } from "../../lib/read-json.ts";
import { readState } from "./read-state.ts";
import { isAgentOutput, type TaskFiles } from "./task-files.ts";
import type { TaskRecord } from "./task-record.ts";
import { isEnded, type EndedState, type TaskState } from "./task-state.ts";

/** A task as it was when it was looked at: what it is, where it is in its life, where its output goes. */
export interface Task {
  record: TaskRecord;
  state: TaskState;
  /** Of a command its stdout, of an agent its transcript. */
  outputFile: string;
  /** @internal Left out of the published types: where a task keeps its files is nobody else's business. */
  files: TaskFiles;
}

export interface FinishedTask extends Task {
  state: EndedState;
}

export function isFinished(task: Task): task is FinishedTask {
  return isEnded(task.state);
}

/** An agent's output is a link to its transcript, which may be gone. */
export function isAgentTask({ record, files }: Pick<Task, "record" | "files">): boolean {
  return record.agent !== undefined || isAgentOutput(files);
}

/** Undefined when there is no record, or none that can be read. */
export function readTask(files: TaskFiles): Task | undefined {
  const record = readJson(files.record) as TaskRecord | null | undefined;
  if (record?.schemaVersion !== 1 || record.id !== files.id) return undefined;
  return refreshed({ record, files });
}

/** The same task, looked at again. */
export function refreshed({ record, files }: Pick<Task, "record" | "files">): Task {
  return { record, state: readState(files, record), outputFile: files.output, files };
}
