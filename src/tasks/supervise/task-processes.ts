import fs from "node:fs";
import path from "node:path";
import { controlGroupOf } from "../../lib/control-group.ts";
import { currentProcess, startTimeOf, type ProcessIdentity } from "../../lib/process-identity.ts";
import { hasProc, lookAtProcesses } from "../../lib/process-table.ts";
import type { ProcessTable, RunningProcess } from "../../lib/running-process.ts";
import type { TaskFiles } from "../record/task-files.ts";

export const taskMarker = "HOLDFAST_TASK_ID";
/** Carried by a task's supervisor and the tools it uses, with the id and a secret, never by the command. */
export const supervisorMarker = "HOLDFAST_SUPERVISOR";
/** What a supervisor calls itself, after its script. */
export const supervisorName = "holdfast-supervisor";

export type TaskProcess = Pick<RunningProcess, "pid" | "startTime" | "parent">;

/** A process of a task; a tool is one that its supervisor left, which must go but is nothing that the task does. */
export type Member = TaskProcess & { isTool?: boolean };

/** Every living process that carries the marker of a task, also after setsid, nohup or a double fork. */
export function findTaskProcesses(id: string): TaskProcess[] {
  const table = lookAtProcesses();
  return table.pids().flatMap((pid) => {
    const running = markerOf(table, pid) === id ? table.read(pid) : undefined;
    return running ? [running] : [];
  });
}

/**
 * Every living process that belongs to a task: it carries the marker in its environment, or it is in the session of the task's
 * supervisor (in its group, where the system shows no sessions), or in the task's control group, or it holds the task's line open, or
 * it descends from one of these, up to the supervisor of another task. What cleared its environment, left the session, closed the
 * line and outlived its parents cannot be found where there is no control group. A supervisor that lives is not among them, nor are
 * its tools: it needs them to see that nothing is left, and to write the ending. Those that a dead one left are marked so.
 */
export function findMembers(
  files: Pick<TaskFiles, "id" | "base">,
  supervisor: ProcessIdentity | undefined,
): Member[] {
  const table = lookAtProcesses();
  const { session, isSupervised } = sessionOf(supervisor);
  const line = lineOf(files);
  const known = new Map<number, Member | undefined>();
  const find = (pid: number): Member | undefined => {
    if (!known.has(pid)) {
      // Parents that were not all read at one moment could make a circle.
      known.set(pid, undefined);
      known.set(pid, memberOf(pid));
    }
    return known.get(pid);
  };
  const memberOf = (pid: number): Member | undefined => {
    const running = pid === session || pid === process.pid ? undefined : table.read(pid);
    if (!running) return undefined;
    const marked = markerOf(table, pid);
    if (marked === files.id) return running;
    const isInSession = session !== undefined && (running.session ?? running.group) === session;
    const isTool = isInSession && isHelper(table, running, session);
    if (isInSession) return isTool && isSupervised ? undefined : { ...running, isTool };
    if (isInGroup(pid, files.id)) return running;
    const isHolder = line !== undefined && table.writableFiles(pid, line).length > 0;
    const parent: Member | undefined = isHolder ? running : find(running.parent);
    // The supervisors of other tasks open the line to wait for it; and a task that this one started is another one.
    if (!parent || parent.isTool || (marked !== undefined && !isHolder)) return undefined;
    return isHelper(table, running, session) ? undefined : running;
  };
  return table.pids().flatMap((pid) => find(pid) ?? []);
}

/** Whether anything that the task does goes on. */
export function hasMembers(
  files: Pick<TaskFiles, "id" | "base">,
  supervisor: ProcessIdentity | undefined,
): boolean {
  return findMembers(files, supervisor).some(({ isTool }) => !isTool);
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
    const taskId = markerOf(table, pid);
    return taskId !== undefined && table.read(pid) ? [{ pid, taskId }] : [];
  });
}

/**
 * Signals a process, or the group that it leads, unless its pid has been given to another one since. Without /proc that takes a
 * process to know, so of one that was seen a moment ago, among hundreds, it is not asked.
 */
export function signalProcess(
  { pid, startTime }: Pick<TaskProcess, "pid" | "startTime">,
  signal: NodeJS.Signals,
  { group = false, isJustSeen = false }: { group?: boolean; isJustSeen?: boolean } = {},
): void {
  if (!(isJustSeen && !hasProc()) && startTimeOf(pid) !== startTime) return;
  try {
    process.kill(group ? -pid : pid, signal);
  } catch {
    /* It is gone, or belongs to somebody else: whoever looks again sees which. */
  }
}

const markerPattern = new RegExp(`\\0${taskMarker}=([^\\0]+)\\0`);

function markerOf(table: ProcessTable, pid: number): string | undefined {
  return markerPattern.exec(table.environment(pid))?.[1];
}

// A task's own control group (sh/cgroup.sh), or one that its command made below it.
function isInGroup(pid: number, id: string): boolean {
  return `${controlGroupOf(pid)}/`.includes(`/holdfast-${id}/`);
}

// While a session has members its id is not given to a new process; one with another start time means it is over.
function sessionOf(supervisor: ProcessIdentity | undefined): { session?: number; isSupervised: boolean } {
  // Session 0 is the kernel's: the run file of a task that never started names nobody.
  if (!supervisor?.pid || supervisor.bootId !== currentProcess().bootId) return { isSupervised: false };
  const startTime = startTimeOf(supervisor.pid);
  if (startTime !== undefined && startTime !== supervisor.startTime) return { isSupervised: false };
  return { session: supervisor.pid, isSupervised: startTime !== undefined };
}

// By its marker; where the system hides the environment of its own programs, by its name or that of the watcher which started it.
function isHelper(
  table: ProcessTable,
  { pid, parent }: RunningProcess,
  session: number | undefined,
): boolean {
  const isSupervisor = (each: number): boolean => table.command(each).includes(` ${supervisorName} `);
  if (table.environment(pid).includes(`\0${supervisorMarker}=`) || isSupervisor(pid)) return true;
  return table.environment(pid) === "" && parent !== session && isSupervisor(parent);
}

// Processes have it open by its real path.
function lineOf({ base }: Pick<TaskFiles, "base">): string | undefined {
  try {
    return path.join(fs.realpathSync(path.dirname(base)), `${path.basename(base)}.line`);
  } catch {
    return undefined;
  }
}
