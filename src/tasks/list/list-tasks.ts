import { projectKey as projectKeyOf } from "../../format/paths.ts";
import type { IndexOptions } from "../../store/index/derived-index.ts";
import { askEnded, type KnownTasks } from "./ask-ended.ts";
import { listedTask, type ListedTask } from "./listed-task.ts";
import { readRunning } from "../record/read-running.ts";
import type { EndedTasks } from "./ended-tasks.ts";
import { isAgentTask, type Task } from "../record/task.ts";
import type { TaskFiles } from "../record/task-files.ts";
import { walkChanged, walkTasks } from "./walk-tasks.ts";

export interface ListTasksOptions {
  /** Only tasks of this working directory. */
  cwd?: string | undefined;
  /** Ended ones too. Default false. */
  all?: boolean | undefined;
  /** Only so many of the newest. */
  limit?: number | undefined;
  /** Only those of which it says so. */
  isWanted?: ((task: Task) => boolean) | undefined;
}

/** Tasks, newest first. What it costs depends on how many have ended only if all of them are asked for, without a limit. */
export function listTasks(
  home: string,
  { cwd, all = false, limit, isWanted: isAsked = () => true }: ListTasksOptions = {},
  indexOptions?: IndexOptions,
): Task[] {
  const projectKey = cwd === undefined ? undefined : projectKeyOf(cwd);
  // Several folders may have one key.
  const isWanted = (task: Task): boolean => (cwd === undefined || task.record.cwd === cwd) && isAsked(task);
  const question = ({ ended, running }: KnownTasks): Task[] => {
    // Who wants everything has time to look at all folders, and their names say for certain which tasks there are.
    const open = limit === undefined ? walkChanged(ended, projectKey) : running;
    const candidates = projectKey === undefined ? ended.newest() : ended.ofProject(projectKey);
    return joined(readEach(ended, candidates, { isWanted, limit }), open);
  };
  const found = all ? askEnded(home, question, indexOptions) : readRunning(home);
  return found.filter(isWanted).sort(newestFirst).slice(0, limit);
}

/** The same as a list shows them: of ended tasks this is final, so no file of theirs is opened. */
export function listOverview(
  home: string,
  options: ListTasksOptions,
  indexOptions?: IndexOptions,
): ListedTask[] {
  const { cwd, all = false, limit, isWanted } = options;
  if (!all || limit !== undefined || isWanted) return listTasks(home, options, indexOptions).map(listedTask);
  const projectKey = cwd === undefined ? undefined : projectKeyOf(cwd);
  const question = ({ ended }: KnownTasks): ListedTask[] => [
    ...walkChanged(ended, projectKey).map(listedTask),
    ...ended.list(projectKey),
  ];
  return askEnded(home, question, indexOptions)
    .filter((task) => cwd === undefined || task.cwd === cwd)
    .sort((a, b) => b.startedAtMs - a.startedAtMs);
}

/** Every task of an agent, running or ended, newest first; and what else has a link for its output, as theirs do. */
export function listAgentTasks(home: string, indexOptions?: IndexOptions): Task[] {
  const question = ({ ended, running }: KnownTasks): Task[] =>
    joined(readEach(ended, ended.ofAgents()), running).filter(isAgentTask);
  return askEnded(home, question, indexOptions).sort(newestFirst);
}

/** The tasks whose words are not in the index, newest first: what runs, and what was not taken in since it ended. */
export function listUnwordedTasks(home: string, indexOptions?: IndexOptions): Task[] {
  const question = ({ ended, running }: KnownTasks): Task[] =>
    joined(readEach(ended, ended.unworded()), running);
  return askEnded(home, question, indexOptions).sort(newestFirst);
}

/** Ended tasks whose process left no ending, newest first. The names in all folders are read, so that none is missing. */
export function listLostTasks(home: string): Task[] {
  const isWanted = ({ state }: Task): boolean => state.status === "lost";
  const question = ({ ended }: KnownTasks): Task[] => {
    walkTasks(ended);
    return readEach(ended, ended.lost(), { isWanted });
  };
  return askEnded(home, question).sort(newestFirst);
}

interface ReadOptions {
  isWanted?: (task: Task) => boolean;
  limit?: number | undefined;
}

/** The tasks behind rows of the index, as their files have them. After a row without a task, whoever asks is answered again. */
export function readEach(
  ended: EndedTasks,
  candidates: Iterable<TaskFiles>,
  { isWanted = () => true, limit = Infinity }: ReadOptions = {},
): Task[] {
  const tasks: Task[] = [];
  for (const files of candidates) {
    if (tasks.length >= limit) break;
    const task = ended.read(files);
    if (task && isWanted(task)) tasks.push(task);
  }
  return tasks;
}

// One that has ended meanwhile is in both.
function joined(ended: Task[], running: Task[]): Task[] {
  const known = new Set(ended.map(({ files }) => files.base));
  return [...ended, ...running.filter(({ files }) => !known.has(files.base))];
}

export function newestFirst(a: Task, b: Task): number {
  return a.record.startedAt < b.record.startedAt ? 1 : -1;
}
