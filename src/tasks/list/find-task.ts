import fs from "node:fs";
import { nearIds } from "../../lib/match-id.ts";
import type { IndexOptions } from "../../store/index/derived-index.ts";
import { askEnded, type KnownTasks } from "./ask-ended.ts";
import { taskError } from "../errors.ts";
import { sessionOfAddress } from "../kinds/remote/remote-settings.ts";
import { newestFirst, readEach } from "./list-tasks.ts";
import { readTask, type Task } from "../record/task.ts";
import { isTaskName, taskFiles, type TaskFiles } from "../record/task-files.ts";
import { listProjectKeys, walkTasks } from "./walk-tasks.ts";

/** The task that a person means: an id, a unique prefix, a name (of the newest that has it), or `@last`. */
export function findTask(home: string, wanted: string, indexOptions?: IndexOptions): Task {
  const exact = filesWithId(home, wanted);
  const meant = exact.length === 1 ? readTask(exact[0]!) : undefined;
  if (meant) return meant;
  const question = (known: KnownTasks): Task => {
    const found = search(known, { wanted, exact });
    if (found.task) return found.task;
    // Nothing is said to be unknown before the names in all folders were read.
    const walked = { ...known, running: walkTasks(known.ended) };
    const { task, matches } = search(walked, { wanted, exact });
    return task ?? refuse(walked, { wanted, matches });
  };
  return askEnded(home, question, indexOptions);
}

/** The tasks that have exactly this id, one a project at most. */
export function tasksWithId(home: string, id: string): Task[] {
  return filesWithId(home, id).flatMap((files) => readTask(files) ?? []);
}

/** The task with this whole id, without a look at any other: for who names tasks that a list has shown. */
export function namedTask(home: string, id: string): Task {
  const found = tasksWithId(home, id);
  if (found.length === 1) return found[0]!;
  const [code, why] =
    found.length === 0
      ? (["task_not_found", "there is none"] as const)
      : (["task_ambiguous", "two projects have it"] as const);
  throw taskError(code, `Cannot find task "${id}": ${why}`, { fields: { id } });
}

// This needs no index: there are few projects.
function filesWithId(home: string, id: string): TaskFiles[] {
  if (!isTaskName(id)) return [];
  return listProjectKeys(home)
    .map((projectKey) => taskFiles(home, { projectKey, id }))
    .filter(({ record }) => fs.existsSync(record));
}

interface Wanted {
  wanted: string;
  exact: TaskFiles[];
}

function search(
  known: KnownTasks,
  { wanted, exact }: Wanted,
): { task: Task | undefined; matches: TaskFiles[] } {
  const matches = exact.length > 0 ? exact : startingWith(known, wanted);
  const only = matches.length === 1 ? readTask(matches[0]!) : undefined;
  // A whole name is meant rather than a beginning that several have.
  return { task: only ?? byName(known, wanted), matches };
}

function startingWith({ ended, running }: KnownTasks, prefix: string): TaskFiles[] {
  if (prefix === "") return [];
  const open = running.map(({ files }) => files).filter(({ id }) => id.startsWith(prefix));
  const over = ended.startingWith(prefix).filter(({ record }) => fs.existsSync(record));
  return [...new Map([...open, ...over].map((files) => [files.base, files])).values()];
}

function byName(known: KnownTasks, wanted: string): Task | undefined {
  // The URL of a remote run's log stands for the run.
  const session = sessionOfAddress(wanted);
  const isMeant = ({ record: { name, remote } }: Task): boolean =>
    wanted === "@last" || name === wanted || (session !== undefined && remote?.sessionId === session);
  // What was started while the clock was ahead would be the newest for years.
  const now = new Date().toISOString();
  const isBelievable = (task: Task): boolean => isMeant(task) && task.record.startedAt <= now;
  return (
    newest(known, { wanted, session, isWanted: isBelievable }) ??
    newest(known, { wanted, session, isWanted: isMeant })
  );
}

interface Meant {
  wanted: string;
  session: string | undefined;
  isWanted: (task: Task) => boolean;
}

function newest({ ended, running }: KnownTasks, { wanted, session, isWanted }: Meant): Task | undefined {
  const candidates = wanted === "@last" ? ended.newest() : ended.named(wanted);
  const named = readEach(ended, candidates, { isWanted, limit: 1 });
  const remote = session === undefined ? [] : readEach(ended, ended.ofAgents(), { isWanted });
  return [...named, ...remote, ...running.filter(isWanted)].sort(newestFirst)[0];
}

function refuse(
  { ended, running }: KnownTasks,
  { wanted, matches }: { wanted: string; matches: TaskFiles[] },
): never {
  if (matches.length > 1) {
    throw taskError("task_ambiguous", `Cannot choose task "${wanted}": ${matches.length} tasks match`, {
      fields: { candidates: matches.map(({ id, projectKey }) => ({ id, project: projectKey })) },
    });
  }
  const ids = [...ended.allIds(), ...running.map(({ record }) => record.id)];
  const names = [...ended.allNames(), ...running.flatMap(({ record: { name } }) => name ?? [])];
  throw taskError("task_not_found", `Cannot find task "${wanted}": no task has this id, prefix or name`, {
    // Of many letters, so half may be wrong and another one is still not meant.
    fields: { id: wanted, near: nearIds(wanted, [...names, ...ids], 1 / 2) },
  });
}
