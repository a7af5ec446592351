import { listTasks } from "../../../tasks/list/list-tasks.ts";
import { findTaskProcesses } from "../../../tasks/supervise/task-processes.ts";

/** Ends the tasks of a home at once, without asking or waiting: for a way out on which nothing can be waited for. */
export function killTasks(home: string): void {
  for (const { record, state } of listTasks(home)) {
    const supervisor = state.status === "running" ? state.pid : undefined;
    const found = findTaskProcesses(record.id, supervisor === undefined ? {} : { session: supervisor });
    for (const pid of [...found.map((each) => each.pid), supervisor]) {
      try {
        if (pid !== undefined) process.kill(pid, "SIGKILL");
      } catch {
        /* it ended by itself */
      }
    }
  }
}
