import { taskError } from "../tasks/errors.ts";
import type { Tasks } from "../tasks/open-tasks.ts";
import type { Task } from "../tasks/record/task.ts";
import { isEnded } from "../tasks/record/task-state.ts";

export interface RestartOptions {
  /** Who stops the one that runs. */
  by: string;
  env?: Record<string, string> | undefined;
}

/**
 * Starts the command of a task once more: in its folder, with its name, settings and limits, for the session that it was
 * for. One that runs is stopped first. Its variables are this process's, as of any other task: none are kept.
 * Throws `task_refused` for an agent, which goes on where it was instead.
 */
export async function restartTask(tasks: Tasks, task: Task, { by, env }: RestartOptions): Promise<Task> {
  const { id, kind, name, description, command, cwd, sessionId, muted, shell } = task.record;
  if (kind !== "local_bash")
    throw taskError("task_refused", `Cannot restart task "${id}": it is an agent`, {
      fields: { suggestion: { verb: "resume", args: [id] } },
    });
  if (!isEnded(task.state)) await tasks.stop(task, { by, reason: "restart" });
  const { merged, tty, sandbox, stdin, timeoutMs, outputBytesMax, keepTail, niceness } = shell;
  return tasks.start({
    command,
    cwd,
    name,
    description,
    sessionId,
    muted,
    env: { SHELL: shell.shell, ...env },
    restarts: id,
    merged,
    tty,
    sandbox,
    stdin,
    timeoutMs,
    outputBytesMax,
    keepTail,
    niceness,
  });
}
