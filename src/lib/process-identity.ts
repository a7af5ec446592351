import fs from "node:fs";
import os from "node:os";
import { readProcess } from "./process-table.ts";

/**
 * Who a process is, beyond its pid: pids are reused, machines reboot, and a shared folder may be seen from
 * another host or container. Written into leases and task records.
 */
export interface ProcessIdentity {
  pid: number;
  /** Clock ticks since boot on Linux, the start date elsewhere; with the pid it names one process. */
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
    bootId: bootId(),
    host: os.hostname(),
    pidNamespace: pidNamespace(),
  };
  return self;
}

/** Whether the process that wrote this identity still runs. Never says "dead" unless it is certain. */
export function livenessOf(identity: ProcessIdentity): Liveness {
  const here = currentProcess();
  if (identity.host !== here.host) return "unknown";
  if (identity.bootId !== here.bootId) return "dead";
  if (identity.pidNamespace !== here.pidNamespace) return "unknown";
  const startTime = startTimeOf(identity.pid);
  return startTime !== undefined && startTime === identity.startTime ? "alive" : "dead";
}

/** When a pid's process started, or undefined when there is no such process (a zombie counts as gone). */
export function startTimeOf(pid: number): string | undefined {
  return process.platform === "linux" ? readProcess(pid)?.startTime : startDateByPs(pid);
}

function startDateByPs(pid: number): string | undefined {
  // Loaded only where it is needed: it would cost every Linux process some milliseconds for nothing.
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || undefined;
  } catch {
    return undefined;
  }
}

function bootId(): string {
  try {
    return fs.readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    // Without a boot id the boot's second still tells one boot from another.
    return String(Math.round(Date.now() / 1000 - os.uptime()));
  }
}

function pidNamespace(): string {
  try {
    return fs.readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}
