import fs from "node:fs";
import { lastLine } from "../output/last-line.ts";
import type { Task } from "../record/task.ts";
import type { TaskState } from "../record/task-state.ts";

/** A task as a list shows it. Moments are numbers, because a list of many thousand tasks compares and subtracts them. */
export interface ListedTask {
  id: string;
  name?: string;
  description: string;
  cwd: string;
  startedAtMs: number;
  /** When the command began: of one that waited for others, later than its launch. */
  beganAtMs: number;
  endedAtMs?: number;
  state: TaskState;
  /** What it printed last. */
  lastLine: string;
}

export function listedTask(task: Task): ListedTask {
  const { record, files, state } = task;
  const { id, name, description, cwd, shell } = record;
  const startedAtMs = Date.parse(record.startedAt);
  const began = shell.waitsFor && fs.statSync(files.started, { throwIfNoEntry: false });
  return {
    id,
    ...(name !== undefined && { name }),
    description,
    cwd,
    startedAtMs,
    beganAtMs: began ? began.mtimeMs : startedAtMs,
    ...("endedAt" in state && { endedAtMs: Date.parse(state.endedAt) }),
    state,
    lastLine: lastLine(task),
  };
}

/** Whether something that was read back is one. */
export function isListedTask(value: Partial<ListedTask> | null): boolean {
  return (
    typeof value?.id === "string" &&
    typeof (value.name ?? "") === "string" &&
    typeof value.description === "string" &&
    typeof value.cwd === "string" &&
    typeof value.startedAtMs === "number" &&
    typeof value.beganAtMs === "number" &&
    typeof value.endedAtMs === "number" &&
    typeof value.state?.status === "string" &&
    typeof value.lastLine === "string"
  );
}
