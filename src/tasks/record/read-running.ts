import { forgetEnded, listRunning } from "./running-tasks.ts";
import { readTask, type Task } from "./task.ts";
import { isEnded } from "./task-state.ts";

/** The tasks that run, of all projects. What has ended meanwhile, or is found lost, leaves running/. */
export function readRunning(home: string): Task[] {
  const tasks: Task[] = [];
  for (const files of listRunning(home)) {
    const task = readTask(files);
    if (task && !isEnded(task.state)) tasks.push(task);
    else forgetEnded(files);
  }
  return tasks;
}
