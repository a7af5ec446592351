import os from "node:os";
import { readBootId, readPidNamespace, readProcess } from "./process-table.ts";

/**
 * Who a process is, beyond its pid: pids are reused, machines reboot, and a shared folder may be seen from
 * another host or container. Written into leases and task records.
 */
export interface ProcessIdentity {
  pid: number;
  /** Clock ticks since boot on Linux, the start date in UTC elsewhere; with the pid it names one process. */
  startTime: string;
  bootId: string;
  host: string;
  /** The pid namespace; a pid means nothing outside it. Empty where the system has none. */
  pidNamespace: string;
}

export type Liveness =
  | "alive"
  | "dead"
  /** It lives, or lived, where this process cannot look: another host or another pid namespace. */
  | "unknown";

let self: ProcessIdentity | undefined;

export function currentProcess(): ProcessIdentity {
  self ??= {
    pid: process.pid,
    startTime: startTimeOf(process.pid) ?? "",
    bootId: readBootId(),
    host: os.hostname(),
    pidNamespace: readPidNamespace(),
  };
  return self;
}

/** Whether the process that wrote this identity still runs. Never says "dead" unless it is certain. */
export function livenessOf(identity: ProcessIdentity): Liveness {
  const here = currentProcess();
  // One boot is one machine, whatever it is called by now.
  const isSameBoot = identity.bootId === here.bootId && here.bootId !== "";
  if (!isSameBoot && identity.host !== here.host) return "unknown";
  if (identity.bootId !== here.bootId) return "dead";
  if (identity.pidNamespace !== here.pidNamespace) return "unknown";
  const startTime = startTimeOf(identity.pid);
  return startTime !== undefined && startTime === identity.startTime ? "alive" : "dead";
}

/** When a pid's process started, or undefined when there is no such process (a zombie counts as gone). */
export function startTimeOf(pid: number): string | undefined {
  return readProcess(pid)?.startTime;
}
