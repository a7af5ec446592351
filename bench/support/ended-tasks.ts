import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { BenchContext } from "./measure.ts";

const PROGRAM = path.join(import.meta.dirname, "..", "programs", "ended-tasks.mjs");

/** A home with so many ended tasks; made once a run, and shared by whoever only looks at them. */
export function openEndedTasks({ scratchDir }: BenchContext, count: number): string {
  const home = path.join(scratchDir, `ended-tasks-${count}`);
  if (fs.existsSync(home)) return home;
  const done = spawnSync(process.execPath, [PROGRAM, home, String(count)], { encoding: "utf8" });
  if (done.status !== 0) throw new Error(`Cannot make ended tasks: ${done.stderr.slice(-2000)}`);
  return home;
}
