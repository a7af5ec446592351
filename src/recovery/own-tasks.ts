import { listRunning } from "../tasks/record/running-tasks.ts";
import { readTask } from "../tasks/record/task.ts";
import { isEnded } from "../tasks/record/task-state.ts";

/** Whether a task of Holdfast that belongs to the session still runs. */
export function runsForSession(home: string, sessionId: string): boolean {
  return listRunning(home).some((files) => {
    const task = readTask(files);
    return task !== undefined && task.record.sessionId === sessionId && !isEnded(task.state);
  });
}
