import type { recordLaunch } from "../recovery/record-launch.ts";
import { isSessionPresent } from "../store/write/session-presence.ts";
import { openTasks, type Tasks, type TasksOptions } from "../tasks/open-tasks.ts";

export type RuntimeTasksOptions = Omit<TasksOptions, "isSessionAlive" | "onLaunched">;

/** Tasks whose notices know which sessions somebody talks in, and whose launches are put down in the manifests. */
export function openRuntimeTasks(options: RuntimeTasksOptions): Tasks {
  let recording: Promise<{ recordLaunch: typeof recordLaunch }> | undefined;
  return openTasks({
    ...options,
    isSessionAlive: (sessionId) => isSessionPresent(options, sessionId),
    onLaunched: async (task) =>
      (await (recording ??= import("../recovery/record-launch.ts"))).recordLaunch(task, options),
  });
}
