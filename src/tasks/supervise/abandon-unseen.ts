import type { Clock } from "../../lib/clock.ts";
import { declareLost, isUnseen } from "../record/read-state.ts";
import { refreshed, type Task } from "../record/task.ts";
import { isEnded, type EndedState } from "../record/task-state.ts";
import { requestStop } from "./stop-task.ts";

/**
 * Ends a task whose processes run where this one cannot look, by word alone: nothing is signalled, and its ending says what
 * is not known. Its supervisor, if it lives, finds the ending at its next beat and ends the processes. Undefined for a task
 * that can be seen: that one can be stopped.
 */
export function abandonUnseen(
  task: Task,
  { by, reason, clock }: { by: string; reason?: string | undefined; clock: Clock },
): EndedState | undefined {
  const { state } = refreshed(task);
  if (isEnded(state) || !isUnseen(task)) return undefined;
  requestStop(task, { by, ...(reason !== undefined && { reason }), at: clock.now().toISOString() });
  const why = reason === undefined ? "" : ` (${reason})`;
  const { host } = task.record.launcher;
  return declareLost(
    task.files,
    task.record,
    `given up by ${by}${why}: it ran on "${host}", which cannot be seen from there, and may still run`,
  );
}
