import { spawnSync } from "node:child_process";
import path from "node:path";
import type { BenchContext } from "./measure.ts";
import { programPath } from "./run-program.ts";

export interface EndedTasksOptions {
  readonly count: number;
  /** Over how many working directories they are spread; 1 if absent. */
  readonly projects?: number;
  /** Days since the youngest ended; 1 if absent. */
  readonly youngestDays?: number;
  /** Tasks that nobody was told of; none if absent. */
  readonly untold?: number;
}

export interface EndedTasks {
  readonly home: string;
  /** One from the middle. */
  readonly id: string;
  readonly name: string;
}

const made = new Map<string, EndedTasks>();

/** A home with so many ended tasks; made once a run, and shared by whoever only looks at them. */
export function openEndedTasks({ scratchDir }: BenchContext, options: EndedTasksOptions): EndedTasks {
  const home = path.join(scratchDir, `ended-tasks-${Object.values(options).join("-")}`);
  const tasks = made.get(home) ?? makeEndedTasks(home, options);
  made.set(home, tasks);
  return tasks;
}

export function makeEndedTasks(
  home: string,
  { count, projects = 1, youngestDays = 1, untold = 0 }: EndedTasksOptions,
): EndedTasks {
  const args = [programPath("ended-tasks.mjs"), home, ...[count, projects, youngestDays, untold].map(String)];
  const done = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (done.status !== 0) throw new Error(`Cannot make ended tasks: ${done.stderr.slice(-2000)}`);
  return { home, ...(JSON.parse(done.stdout) as Pick<EndedTasks, "id" | "name">) };
}
