import fs from "node:fs";
import path from "node:path";
import { holdfastPaths, isSafeName } from "../../format/paths.ts";
import { codeOf } from "../../lib/errors.ts";
import { namesIn } from "../../lib/names-in.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { taskFiles, type TaskFiles } from "./task-files.ts";
import { wakeAfterEnd } from "./waiting-tasks.ts";

/**
 * The tasks that run, of all projects, from a single reading of one small folder. One that has just ended may still be
 * among them; one whose launch is acknowledged is never missing, unless the machine lost power since: then it is over.
 */
export function listRunning(home: string): TaskFiles[] {
  return namesOfRunning(home)
    .map((name) => filesOfName(home, name))
    .filter((files) => files !== undefined);
}

/**
 * How many tasks have not ended, those that wait for a place among them. Whether they have, or have only not decided to start, is
 * asked only when it matters: below `max` it is how many seem to run.
 */
export function countBusy(home: string, { max, isCounted }: Places): number {
  const names = namesCounted(home, isCounted);
  if (names.length < max) return names.length;
  const busy = names.map((name) => filesOfName(home, name)).filter(isBusy);
  return busy.filter((files) => draftSize(files) !== 0).length;
}

/** Undefined when it is not in running/, 0 before it has decided to start (take-place.ts). */
export function draftSize({ endingDraft }: TaskFiles): number | undefined {
  return fs.statSync(endingDraft, { throwIfNoEntry: false })?.size;
}

/** The names in running/ of tasks with such ids. */
export function namesCounted(home: string, isCounted: Places["isCounted"]): string[] {
  return namesOfRunning(home).filter((name) => isCounted(name.slice(name.lastIndexOf(".") + 1)));
}

/** So many may run at once, of the tasks with such ids. */
export interface Places {
  max: number;
  isCounted: (id: string) => boolean;
}

export function isBusy(files: TaskFiles | undefined): files is TaskFiles {
  return files !== undefined && !fs.existsSync(files.ending);
}

function namesOfRunning(home: string): string[] {
  // A folder that may not be read must not look as if nothing ran.
  return namesIn(holdfastPaths(home).runningDir, (_, error) => {
    throw error;
  });
}

/** Whose file in running/ or ended/ it is; undefined when it is nobody's. */
export function filesOfName(home: string, name: string): TaskFiles | undefined {
  const dot = name.lastIndexOf(".");
  const [projectKey, id] = [name.slice(0, dot), name.slice(dot + 1)];
  return dot > 0 && isSafeName(projectKey) && isSafeName(id)
    ? taskFiles(home, { projectKey, id })
    : undefined;
}

/** Tidies up after a supervisor that was killed when it had written the ending, and after a task that was removed. */
export function forgetEnded(files: TaskFiles): void {
  if (fs.existsSync(files.ending)) leaveRunning(files);
  else if (!fs.existsSync(files.record)) giveUpPlace(files);
}

/**
 * Takes a task that has ended from running/ to ended/, where whoever updates the index looks for it, and wakes whoever waits
 * for its end or its place.
 */
export function leaveRunning(files: TaskFiles): void {
  const { ending, ended } = files;
  try {
    ensurePrivateDir(path.dirname(ended));
    fs.linkSync(ending, ended);
  } catch (error) {
    // It stays in running/, where the next one who looks finds it again.
    if (codeOf(error) !== "EEXIST") return;
  }
  giveUpPlace(files);
}

/** Takes a task from running/, and wakes whoever waits for its place. */
export function giveUpPlace(files: Pick<TaskFiles, "endingDraft">): void {
  try {
    fs.rmSync(files.endingDraft, { force: true });
  } catch {
    /* On a read-only disk it stays, and is passed over again. */
  }
  wakeAfterEnd(files);
}
