import type { IndexOptions } from "../store/index/derived-index.ts";
import { findTask } from "./list/find-task.ts";
import { listOverview, listTasks, type ListTasksOptions } from "./list/list-tasks.ts";
import type { ListedTask } from "./list/listed-task.ts";
import { listRunning } from "./record/running-tasks.ts";
import { refreshed, type Task } from "./record/task.ts";

/** A task, or what a person calls it: an id, a unique prefix, a name, `@last`. */
export type TaskOrId = Task | string;

/** Looks at the tasks of a home; every call reads what the files say then. */
export interface TaskFinder {
  list(options?: ListTasksOptions): Task[];
  overview(options?: ListTasksOptions): ListedTask[];
  /** Throws `task_not_found` or `task_ambiguous`. */
  find(task: TaskOrId): Task;
  refresh(task: TaskOrId): Task;
  hasRemote(): boolean;
}

export function lookAtTasks(home: string, indexOptions: IndexOptions): TaskFinder {
  const find = (task: TaskOrId): Task =>
    typeof task === "string" ? findTask(home, task, indexOptions) : task;
  return {
    list: (options) => listTasks(home, options, indexOptions),
    overview: (options = {}) => listOverview(home, options, indexOptions),
    find,
    refresh: (task) => refreshed(find(task)),
    hasRemote: () => listRunning(home).some(({ id }) => id.startsWith("r")),
  };
}
