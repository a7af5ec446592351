import { startTimeOf } from "../../lib/process-identity.ts";
import { lookAtProcesses } from "../../lib/process-table.ts";
import type { RunningProcess } from "../../lib/running-process.ts";

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
 * double fork), or it is in the session of the task's supervisor (in its group, where the system shows no sessions). What left
 * the session and cleared its environment may still hold the line (findLineHolders); what closed that, too, cannot be found.
 */
export function findTaskProcesses(
  id: string,
  { session, sparesHelpers = false }: SessionSearch = {},
): TaskProcess[] {
  const found: TaskProcess[] = [];
  const table = lookAtProcesses();
  for (const pid of table.pids()) {
    const environment = table.environment(pid);
    const isMarked = environment.includes(`\0${taskMarker}=${id}\0`);
    if (!isMarked && session === undefined) continue;
    const running = table.read(pid);
    if (running === undefined) continue;
    if (!isMarked && ((running.session ?? running.group) !== session || pid === session)) continue;
    if (!isMarked && sparesHelpers && environment.includes(`\0${supervisorMarker}=`)) continue;
    found.push({ pid, startTime: running.startTime, parent: running.parent });
  }
  return found;
}

/** Who has the line of a task open, without its supervisor and its tools: also what left the session and cleared its environment. */
export function findLineHolders(id: string, { session }: SessionSearch): TaskProcess[] {
  const table = lookAtProcesses();
  return table.pids().flatMap((pid) => {
    const isHolder = pid !== session && table.writableFiles(pid, `/${id}.line`).length > 0;
    const running = isHolder ? table.read(pid) : undefined;
    if (!running || table.environment(pid).includes(`\0${supervisorMarker}=`)) return [];
    return [{ pid, startTime: running.startTime, parent: running.parent }];
  });
}

/** Whether a supervisor of the task lives, by its arguments: they are there before it has done anything. */
export function isSupervisorThere(id: string): boolean {
  const table = lookAtProcesses();
  return table.pids().some((pid) => table.command(pid).includes(` holdfast-supervisor ${id} `));
}

/** Every living process that carries the marker of any task, of this home or another. */
export function listMarkedProcesses(): { pid: number; taskId: string }[] {
  const table = lookAtProcesses();
  return table.pids().flatMap((pid) => {
    const [, taskId] = new RegExp(`\\0${taskMarker}=([^\\0]+)\\0`).exec(table.environment(pid)) ?? [];
    return taskId !== undefined && table.read(pid) ? [{ pid, taskId }] : [];
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
