import { terminalHostStartMs } from "../../format/limits.ts";
import type { Tasks } from "../../tasks/open-tasks.ts";
import type { Task } from "../../tasks/task.ts";
import { isEnded } from "../../tasks/task-state.ts";

const TRY_MS = 50;

/** Reaches the terminal of a task that was started a moment ago: its host may not listen yet. */
export async function whenReady<T>(tasks: Tasks, task: Task, reach: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + terminalHostStartMs;
  for (;;) {
    try {
      return await reach();
    } catch (error) {
      const { state } = tasks.refresh(task);
      if (isEnded(state) || performance.now() > giveUpAt) throw error;
      await tasks.wait(task, { timeoutMs: TRY_MS });
    }
  }
}
