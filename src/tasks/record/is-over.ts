import { readTask } from "./task.ts";
import { taskFiles } from "./task-files.ts";
import { isEnded } from "./task-state.ts";

/** Whether nothing more will come of a task; undefined when there is none. One that is lost is found so. */
export function isOver(home: string, task: { projectKey: string; id: string }): boolean | undefined {
  const found = readTask(taskFiles(home, task));
  return found && isEnded(found.state);
}
