import os from "node:os";
import { hasProc } from "./process-table.ts";

// What Linux counts start times in, on every machine that it runs on today.
const TICKS_A_SECOND = 100;

/** When a process started, in milliseconds since 1970, from the text that names its start; undefined when that says nothing. */
export function startedAtMs(startTime: string): number | undefined {
  const ms = hasProc()
    ? Date.now() - os.uptime() * 1000 + (Number(startTime) * 1000) / TICKS_A_SECOND
    : Date.parse(`${startTime.replaceAll("-", " ")} UTC`);
  return Number.isNaN(ms) ? undefined : ms;
}
