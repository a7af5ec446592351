import { listRunning } from "../tasks/running-tasks.ts";
import { readTask } from "../tasks/task.ts";
import { isEnded } from "../tasks/task-state.ts";

/** Whether a task of Holdfast that belongs to the session still runs. */
export function runsForSession(home: string, sessionId: string): boolean {
  return listRunning(home).some((files) => {
    const task = readTask(files);
    return task !== undefined && task.record.sessionId === sessionId && !isEnded(task.state);
  });
}
