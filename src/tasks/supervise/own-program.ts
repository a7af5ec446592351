import type { TaskFiles } from "../record/task-files.ts";

/** The files of the programs that look after one task each. */
export interface OwnPrograms {
  agentHost: string;
  fleetFollower: string;
}

/** Starts such a program for a task: the program and its arguments. */
export function ownProgram(
  file: string,
  { projectKey, id }: TaskFiles,
  { home, configDir }: { home: string; configDir: string },
): [string, ...string[]] {
  return [process.execPath, "--disable-warning=ExperimentalWarning", file, home, configDir, projectKey, id];
}
