import { readSupervisor } from "../../../tasks/record/read-state.ts";
import type { Tasks } from "../../../tasks/open-tasks.ts";
import type { Task } from "../../../tasks/record/task.ts";
import { taskJson } from "./task-json.ts";

/**
 * A task that was just started, as `--json` gives it. The supervisor names itself in its first moments; a program wants
 * the pid in the answer, also of a short command.
 */
export async function startedJson(tasks: Tasks, started: Task): Promise<Record<string, unknown>> {
  const supervisorPid = (): number | undefined => readSupervisor(started.files, started.record)?.pid;
  for (let tries = 0; tries < 100 && supervisorPid() === undefined; tries++)
    await tasks.wait(started, { timeoutMs: 10 });
  return { ...taskJson(await tasks.refresh(started)), pid: supervisorPid() ?? null };
}
