import fs from "node:fs";
import { startTimeOf } from "../lib/process-identity.ts";

export const taskMarker = "HOLDFAST_TASK_ID";
/** Carried by a task's supervisor (with what it was before) and the tools it uses (with the id), never by the command. */
export const supervisorMarker = "HOLDFAST_SUPERVISOR";

export interface TaskProcess {
  pid: number;
  startTime: string;
  /** Pid of the process that started it, or of the one that took it over when that one died. */
  parent: number;
}

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
  for (const name of listPids()) {
    const environ = readEnviron(name);
    const isMarked = holds(environ, `${taskMarker}=${id}`);
    if (!isMarked && session === undefined) continue;
    const stat = readStat(name);
    if (stat === undefined) continue;
    if (!isMarked && (stat.session !== session || stat.pid === session)) continue;
    if (!isMarked && sparesHelpers && environ.includes(`\0${supervisorMarker}=`)) continue;
    found.push({ pid: stat.pid, startTime: stat.startTime, parent: stat.parent });
  }
  return found;
}

/** Every living process that carries the marker of any task, of this home or another. */
export function listMarkedProcesses(): { pid: number; taskId: string }[] {
  return listPids().flatMap((name) => {
    const [, taskId] = new RegExp(`\\0${taskMarker}=([^\\0]+)\\0`).exec(readEnviron(name)) ?? [];
    const stat = taskId === undefined ? undefined : readStat(name);
    return stat && taskId !== undefined ? [{ pid: stat.pid, taskId }] : [];
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

function listPids(): string[] {
  try {
    return fs.readdirSync("/proc").filter((name) => name.charCodeAt(0) >= 48 && name.charCodeAt(0) <= 57);
  } catch {
    return [];
  }
}

// Empty when the process is gone, not ours, or just about to become another program.
function readEnviron(pid: string): string {
  try {
    return `\0${fs.readFileSync(`/proc/${pid}/environ`, "latin1")}`;
  } catch {
    return "";
  }
}

function holds(environ: string, variable: string): boolean {
  return environ.includes(`\0${variable}\0`);
}

function readStat(pid: string): (TaskProcess & { session: number }) | undefined {
  let stat: string;
  try {
    stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
  // The program's name is in parentheses and may hold anything: count from the last one.
  const [state, parent, , session, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === "Z" || state === "X") return undefined;
  return { pid: Number(pid), parent: Number(parent), session: Number(session), startTime: rest[15]! };
}
