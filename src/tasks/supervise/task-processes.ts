import { startTimeOf } from "../../lib/process-identity.ts";
import { listPids, readEnvironment, readProcess, type RunningProcess } from "../../lib/process-table.ts";

export const taskMarker = "HOLDFAST_TASK_ID";
/** Carried by a task's supervisor (with what it was before) and the tools it uses (with the id), never by the command. */
export const supervisorMarker = "HOLDFAST_SUPERVISOR";

export type TaskProcess = Pick<RunningProcess, "pid" | "startTime" | "parent">;

export interface SessionSearch {
  /** The session of the task's supervisor, to find also what cleared its environment. */
  session?: number;
  /** Leaves out the supervisor and its tools. */
  sparesHelpers?: boolean;
}

/**
 * Every living process that belongs to a task: it carries the marker in its environment (also after setsid, nohup or a
 * double fork), or it is in the session of the task's supervisor. What did both, left the session and cleared its
 * environment, cannot be found.
 */
export function findTaskProcesses(
  id: string,
  { session, sparesHelpers = false }: SessionSearch = {},
): TaskProcess[] {
  const found: TaskProcess[] = [];
  for (const pid of listPids()) {
    const environment = readEnvironment(pid);
    const isMarked = environment.includes(`\0${taskMarker}=${id}\0`);
    if (!isMarked && session === undefined) continue;
    const running = readProcess(pid);
    if (running === undefined) continue;
    if (!isMarked && (running.session !== session || pid === session)) continue;
    if (!isMarked && sparesHelpers && environment.includes(`\0${supervisorMarker}=`)) continue;
    found.push({ pid, startTime: running.startTime, parent: running.parent });
  }
  return found;
}

/** Every living process that carries the marker of any task, of this home or another. */
export function listMarkedProcesses(): { pid: number; taskId: string }[] {
  return listPids().flatMap((pid) => {
    const [, taskId] = new RegExp(`\\0${taskMarker}=([^\\0]+)\\0`).exec(readEnvironment(pid)) ?? [];
    return taskId !== undefined && readProcess(pid) ? [{ pid, taskId }] : [];
  });
}

/** Signals a process, or the group that it leads, unless its pid has been given to another one since. */
export function signalProcess(
  { pid, startTime }: Pick<TaskProcess, "pid" | "startTime">,
  signal: NodeJS.Signals,
  { group = false }: { group?: boolean } = {},
): void {
  if (startTimeOf(pid) !== startTime) return;
  try {
    process.kill(group ? -pid : pid, signal);
  } catch {
    /* It is gone, or belongs to somebody else: whoever looks again sees which. */
  }
}
