import fs from "node:fs";
import { lastLine } from "./output/last-line.ts";
import type { Task } from "./task.ts";
import type { TaskState } from "./task-state.ts";

/** A task as a list shows it. */
export interface ListedTask {
  id: string;
  name?: string;
  description: string;
  cwd: string;
  startedAt: string;
  /** When the command began: of one that waited for others, later than its launch. */
  beganAt: string;
  state: TaskState;
  /** What it printed last. */
  lastLine: string;
}

export function listedTask(task: Task): ListedTask {
  const { record, files, state } = task;
  const { id, name, description, cwd, startedAt, shell } = record;
  const began = shell.waitsFor && fs.statSync(files.started, { throwIfNoEntry: false });
  return {
    id,
    ...(name !== undefined && { name }),
    description,
    cwd,
    startedAt,
    beganAt: began ? began.mtime.toISOString() : startedAt,
    state,
    lastLine: lastLine(task),
  };
}

/** Whether something that was read back is one. */
export function isListedTask(value: Partial<ListedTask> | null): boolean {
  const hasName = value?.name === undefined || typeof value.name === "string";
  return (
    hasName &&
    typeof value?.state?.status === "string" &&
    TEXTS.every((key) => typeof value[key] === "string")
  );
}

const TEXTS = ["id", "description", "cwd", "startedAt", "beganAt", "lastLine"] as const;
