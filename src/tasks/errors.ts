import { makeError, type ErrorMaker } from "../lib/errors.ts";

// Every code of this folder; docs/errors.md explains them.
export const taskErrorCodes = [
  "task_not_found",
  "task_ambiguous",
  "task_limit",
  "task_refused",
  "launch_failed",
  "stop_failed",
  "no_stdin",
  "not_waiting",
  "not_supported",
] as const;
export type TaskErrorCode = (typeof taskErrorCodes)[number];

export const taskError: ErrorMaker<TaskErrorCode> = makeError;
