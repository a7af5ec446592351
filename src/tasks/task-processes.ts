import fs from "node:fs";
import { startTimeOf } from "../lib/process-identity.ts";

export const taskMarker = "HOLDFAST_TASK_ID";

export interface TaskProcess {
  pid: number;
  startTime: string;
}

/**
 * Every living process that belongs to a task: it carries the marker in its environment (also after setsid, nohup or a
 * double fork), or it is in the session of the task's supervisor (also after it cleared its environment).
 */
export function findTaskProcesses(
  id: string,
  { sessionOf }: { sessionOf?: number | undefined } = {},
): TaskProcess[] {
  const marker = Buffer.from(`${taskMarker}=${id}\0`);
  const found: TaskProcess[] = [];
  for (const name of listPids()) {
    const pid = Number(name);
    if (!carriesMarker(name, marker) && (sessionOf === undefined || !isInSession(name, sessionOf))) continue;
    const startTime = startTimeOf(pid);
    if (startTime !== undefined && pid !== sessionOf) found.push({ pid, startTime });
  }
  return found;
}

/** Signals a process unless its pid has been given to another one since. False when it is gone. */
export function signalProcess({ pid, startTime }: TaskProcess, signal: NodeJS.Signals): boolean {
  if (startTimeOf(pid) !== startTime) return false;
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

function listPids(): string[] {
  try {
    return fs.readdirSync("/proc").filter((name) => name.charCodeAt(0) >= 48 && name.charCodeAt(0) <= 57);
  } catch {
    return [];
  }
}

function carriesMarker(pid: string, marker: Buffer): boolean {
  try {
    const environ = fs.readFileSync(`/proc/${pid}/environ`);
    const at = environ.indexOf(marker);
    return at === 0 || (at > 0 && environ[at - 1] === 0);
  } catch {
    return false;
  }
}

function isInSession(pid: string, session: number): boolean {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3]) === session;
  } catch {
    return false;
  }
}
