import fs from "node:fs";
import { holdfastPaths, isSafeName } from "../format/paths.ts";
import { codeOf } from "../lib/errors.ts";
import { taskFiles, type TaskFiles } from "./task-files.ts";

/**
 * The tasks that run, of all projects, from a single reading of one small folder. One that has just ended may still be
 * among them; one whose launch is acknowledged is never missing, unless the machine lost power since: then it is over.
 */
export function listRunning(home: string): TaskFiles[] {
  return namesOfRunning(home)
    .map((name) => filesOfRunning(home, name))
    .filter((files) => files !== undefined);
}

/** At least as many as run. */
export function countRunning(home: string): number {
  return namesOfRunning(home).length;
}

function namesOfRunning(home: string): string[] {
  try {
    return fs.readdirSync(holdfastPaths(home).runningDir);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return [];
    throw error;
  }
}

/** Whose file it is; undefined when it is nobody's. */
export function filesOfRunning(home: string, name: string): TaskFiles | undefined {
  const dot = name.lastIndexOf(".");
  const [projectKey, id] = [name.slice(0, dot), name.slice(dot + 1)];
  return dot > 0 && isSafeName(projectKey) && isSafeName(id)
    ? taskFiles(home, { projectKey, id })
    : undefined;
}

/** Tidies up after a supervisor that was killed when it had written the ending, and after a task that was removed. */
export function forgetEnded({ ending, record, endingDraft }: TaskFiles): void {
  if (!fs.existsSync(ending) && fs.existsSync(record)) return;
  try {
    fs.rmSync(endingDraft, { force: true });
  } catch {
    /* On a read-only disk it stays, and is passed over again. */
  }
}
