import fs from "node:fs";
import { holdfastPaths, isSafeName, projectKey as projectKeyOf } from "../format/paths.ts";
import { editDistance } from "../lib/edit-distance.ts";
import { taskError } from "./errors.ts";
import { sessionOfUrl } from "./kinds/remote/remote-settings.ts";
import { readTask, type Task } from "./task.ts";
import type { TaskRecord } from "./task-record.ts";
import { forgetEnded, listRunning } from "./running-tasks.ts";
import { listTaskNames, taskFiles, type ListedTask, type TaskFiles } from "./task-files.ts";
import { isEnded } from "./task-state.ts";

export interface ListTasksOptions {
  /** Only tasks of this working directory. */
  cwd?: string | undefined;
  /** Ended ones too. Default false. */
  all?: boolean | undefined;
}

/** Tasks, newest first. Without `all`, what it costs does not depend on how many have ended. */
export function listTasks(home: string, { cwd, all = false }: ListTasksOptions = {}): Task[] {
  const found = all ? allTasks(home, cwd) : runningTasks(home, cwd);
  // Several folders may have one key.
  const wanted = cwd === undefined ? found : found.filter(({ record }) => record.cwd === cwd);
  return wanted.sort((a, b) => (a.record.startedAt < b.record.startedAt ? 1 : -1));
}

function allTasks(home: string, cwd: string | undefined): Task[] {
  return [...eachTask(home, { cwd })]
    .map(({ files }) => readTask(files))
    .filter((task) => task !== undefined);
}

function runningTasks(home: string, cwd: string | undefined): Task[] {
  const projectKey = cwd === undefined ? undefined : projectKeyOf(cwd);
  const tasks: Task[] = [];
  for (const files of listRunning(home)) {
    if (projectKey !== undefined && files.projectKey !== projectKey) continue;
    const task = readTask(files);
    if (task && !isEnded(task.state)) tasks.push(task);
    else forgetEnded(files);
  }
  return tasks;
}

/** Every task by the names in the folders; nothing is opened. */
export function* eachTask(
  home: string,
  { cwd }: { cwd?: string | undefined } = {},
): Generator<ListedTask & { files: TaskFiles }> {
  for (const projectKey of cwd === undefined ? projectKeys(home) : [projectKeyOf(cwd)]) {
    for (const listed of listTaskNames(holdfastPaths(home).tasksDir(projectKey))) {
      yield { ...listed, files: taskFiles(home, { projectKey, id: listed.id }) };
    }
  }
}

/** The task that a person means: an id, a unique prefix, a name (of the newest that has it), or `@last`. */
export function findTask(home: string, wanted: string): Task {
  const ids = [...eachTask(home)].map(({ files }) => files);
  const exact = ids.filter(({ id }) => id === wanted);
  const prefixed = wanted === "" ? [] : ids.filter(({ id }) => id.startsWith(wanted));
  const matches = exact.length > 0 ? exact : prefixed;
  if (matches.length === 1) {
    const task = readTask(matches[0]!);
    if (task) return task;
  }
  // A whole name is meant rather than a beginning that several have.
  const named = byName(ids, wanted);
  if (named) return named;
  if (matches.length > 1) {
    throw taskError("task_ambiguous", `Cannot choose task "${wanted}": ${matches.length} tasks match`, {
      fields: { candidates: matches.map(({ id, projectKey }) => ({ id, project: projectKey })) },
    });
  }
  throw taskError("task_not_found", `Cannot find task "${wanted}": no task has this id, prefix or name`, {
    fields: { near: near(wanted, ids) },
  });
}

// Names and `@last` need the records; an id or a unique prefix never comes here.
function byName(ids: TaskFiles[], wanted: string): Task | undefined {
  // The URL of a remote run's log stands for the run.
  const session = sessionOfUrl(wanted);
  const isMeant = ({ name, remote }: TaskRecord): boolean =>
    wanted === "@last" || name === wanted || (session !== undefined && remote?.sessionId === session);
  let newest: Task | undefined;
  for (const files of ids) {
    const task = readTask(files);
    if (!task || !isMeant(task.record)) continue;
    if (!newest || newest.record.startedAt < task.record.startedAt) newest = task;
  }
  return newest;
}

// An id is compared as far as it was typed; half of it may be wrong.
function near(wanted: string, ids: TaskFiles[]): string[] {
  return ids
    .map(({ id }) => ({ id, distance: editDistance(wanted, id.slice(0, wanted.length)) }))
    .filter(({ distance }) => distance < wanted.length && distance <= wanted.length / 2)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 5)
    .map(({ id }) => id);
}

function projectKeys(home: string): string[] {
  try {
    return fs.readdirSync(holdfastPaths(home).projectsDir).filter(isSafeName);
  } catch {
    return [];
  }
}
