import { isSessionPresent } from "../store/session-presence.ts";
import { openTasks, type Tasks, type TasksOptions } from "../tasks/open-tasks.ts";

export type RuntimeTasksOptions = Omit<TasksOptions, "isSessionAlive">;

/** Tasks whose notices know which sessions somebody talks in. */
export function openRuntimeTasks(options: RuntimeTasksOptions): Tasks {
  return openTasks({ ...options, isSessionAlive: (sessionId) => isSessionPresent(options, sessionId) });
}
