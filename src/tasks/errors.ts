import { HoldfastError } from "../lib/errors.ts";

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

export interface TaskErrorOptions {
  retryable?: boolean;
  cause?: unknown;
  fields?: Record<string, unknown>;
}

export function taskError(
  code: TaskErrorCode,
  message: string,
  options: TaskErrorOptions = {},
): HoldfastError {
  return new HoldfastError(message, { code, ...options });
}
