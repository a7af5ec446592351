import fs from "node:fs";
import { bootBySysctl, lookByPs, readByPs } from "./ps-table.ts";
import { procTable } from "./proc-table.ts";
import type { ProcessTable, RunningProcess } from "./running-process.ts";

let isProcThere: boolean | undefined;

/** Asked once: a machine does not get or lose it while it runs. */
export function hasProc(): boolean {
  return (isProcThere ??= fs.existsSync("/proc/self/stat"));
}

/** The one place that asks the system for its processes: /proc where it is, ps and lsof elsewhere. */
export function lookAtProcesses(): ProcessTable {
  return hasProc() ? procTable : lookByPs();
}

/** One process as it is now, without a look at the others. */
export function readProcess(pid: number): RunningProcess | undefined {
  return hasProc() ? procTable.read(pid) : readByPs(pid);
}

/** A name of this boot of the machine that does not change when the clock is set; empty where there is none. */
export function readBootId(): string {
  return hasProc() ? fs.readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim() : bootBySysctl();
}

/** The pid namespace of this process: a pid means nothing outside it. Empty where the system has none. */
export function readPidNamespace(): string {
  return hasProc() ? fs.readlinkSync("/proc/self/ns/pid") : "";
}
