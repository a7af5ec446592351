import fs from "node:fs";
import { coarsestClockMs, endedTasksAtOnce } from "../limits.ts";
import { holdfastPaths, isSafeName } from "../../format/paths.ts";
import { foldersIn } from "../../lib/names-in.ts";
import type { EndedTasks } from "./ended-tasks.ts";
import { isFinished, readTask, type Task } from "../record/task.ts";
import { listTaskNames, taskFiles, type TaskFiles, type TaskNames } from "../record/task-files.ts";

/**
 * Makes the table agree with the names in the task folders, of one project or of all, and gives the tasks that have not
 * ended. Only tasks that are new to the table are read. Throws when the index cannot be written and would have to be.
 */
export function walkTasks(ended: EndedTasks, only?: string): Task[] {
  return eachProject(ended, only, walkProject);
}

/** The same, for which names are read only of folders that have changed since they were last walked. */
export function walkChanged(ended: EndedTasks, only?: string): Task[] {
  return eachProject(ended, only, (_, projectKey, changed) => {
    const open = changed === undefined ? undefined : ended.openIn(projectKey, changed);
    return open
      ? keepEnded(ended, filesOf(ended, projectKey, open))
      : walkProject(ended, projectKey, changed);
  });
}

type Walk = (ended: EndedTasks, projectKey: string, changed: string | undefined) => Task[];

function eachProject(ended: EndedTasks, only: string | undefined, walk: Walk): Task[] {
  // A folder that is gone may still have rows.
  const projects =
    only === undefined ? new Set([...ended.projects(), ...listProjectKeys(ended.home)]) : [only];
  return [...projects].flatMap((projectKey) => {
    const known = ended.walked.get(projectKey);
    if (known) return known;
    // Looked at before its names are read: what changes meanwhile shows the next time.
    const open = walk(ended, projectKey, settledTime(holdfastPaths(ended.home).tasksDir(projectKey)));
    ended.walked.set(projectKey, open);
    return open;
  });
}

function walkProject(ended: EndedTasks, projectKey: string, changed: string | undefined): Task[] {
  const unknown = compareNames(ended, projectKey);
  const idsOf = (names: readonly TaskNames[]): string[] => names.map(({ id }) => id);
  const open = keepEnded(ended, filesOf(ended, projectKey, idsOf(unknown)));
  if (changed !== undefined) {
    const unended = idsOf(unknown.filter(({ isEnded }) => !isEnded));
    ended.mayWrite(() => ended.noteFolder(projectKey, changed, unended));
  }
  return open;
}

function filesOf({ home }: EndedTasks, projectKey: string, ids: readonly string[]): TaskFiles[] {
  return ids.map((id) => taskFiles(home, { projectKey, id }));
}

/** When names were last added to a folder or removed; undefined so soon afterwards that the next change may have that time, too. */
function settledTime(dir: string): string | undefined {
  const stats = fs.statSync(dir, { bigint: true, throwIfNoEntry: false });
  if (!stats || Date.now() - Number(stats.ctimeMs) < coarsestClockMs) return undefined;
  return `${stats.dev} ${stats.ino} ${stats.ctimeNs}`;
}

/** Removes rows without a task and corrects what they say of notices. Gives the tasks that have no row. */
function compareNames(ended: EndedTasks, projectKey: string): TaskNames[] {
  // Rows before names: a task that another process takes in meanwhile would look like a row without a task.
  const gone = new Set(ended.ids(projectKey));
  const notTaken = ended.notTaken(projectKey);
  const unknown: TaskNames[] = [];
  const wronglyUntold: string[] = [];
  const wronglyTold: string[] = [];
  for (const names of listTaskNames(holdfastPaths(ended.home).tasksDir(projectKey))) {
    const { id, hasRecord, isEnded, isSilent } = names;
    if (!hasRecord) continue;
    if (!isEnded || !gone.delete(id)) unknown.push(names);
    else if (!isSilent && !notTaken.has(id)) wronglyTold.push(id);
    else if (isSilent && notTaken.get(id)?.isMuted === false) wronglyUntold.push(id);
  }
  if (gone.size + wronglyUntold.length + wronglyTold.length > 0) {
    ended.write(() => {
      for (const id of gone) ended.remove({ projectKey, id });
      for (const id of wronglyUntold) ended.setTold({ projectKey, id }, true);
      for (const id of wronglyTold) ended.setTold({ projectKey, id }, false);
    });
  }
  return unknown;
}

/** Reads tasks, puts those that have ended into the table and gives the others. In pieces, so that nobody waits long. */
export function keepEnded(ended: EndedTasks, all: readonly TaskFiles[]): Task[] {
  const open: Task[] = [];
  for (let from = 0; from < all.length; from += endedTasksAtOnce) {
    const tasks = all.slice(from, from + endedTasksAtOnce).flatMap((files) => readTask(files) ?? []);
    const over = tasks.filter(isFinished);
    if (over.length > 0) ended.write(() => over.forEach((task) => ended.put(task)));
    open.push(...tasks.filter((task) => !isFinished(task)));
  }
  return open;
}

/** The projects that have a folder. */
export function listProjectKeys(home: string): string[] {
  return foldersIn(holdfastPaths(home).projectsDir).filter(isSafeName);
}
