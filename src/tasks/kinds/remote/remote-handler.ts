import { remoteStopMs } from "../../../format/limits.ts";
import { taskError } from "../../errors.ts";
import type { TaskKindHandler } from "../../kind-handler.ts";
import { requestStop, type StopOptions } from "../../stop-task.ts";
import { refreshed, type Task } from "../../task.ts";
import { isEnded, type EndedState } from "../../task-state.ts";
import { touchTask } from "../../touch-task.ts";
import { waitForEnd } from "../../wait-task.ts";
import { putMessage } from "../agent/inbox.ts";
import { readRemoteOutput } from "./remote-output.ts";

/**
 * Agents that run on the fleet. What is asked of them is put beside the record, as for a local agent; the follower, which
 * has the connection, hands it on.
 */
export const remoteHandler: TaskKindHandler = {
  canHandle: ({ kind }) => kind === "remote_agent",
  getOutput: readRemoteOutput,
  stop: stopRemote,
  async send(task, text, { clock }) {
    if (isEnded(refreshed(task).state)) {
      const { id } = task.record;
      throw taskError(
        "no_stdin",
        `Cannot send to task "${id}": it has ended; bring it home to go on with it`,
      );
    }
    putMessage(task.files, text, clock);
    touchTask(task.files);
  },
};

async function stopRemote(task: Task, { by, reason, clock }: StopOptions): Promise<EndedState> {
  const { state } = refreshed(task);
  if (isEnded(state)) return state;
  requestStop(task, { by, ...(reason !== undefined && { reason }), at: clock.now().toISOString() });
  touchTask(task.files);
  const ended = await waitForEnd(task, { timeoutMs: remoteStopMs });
  if (ended) return ended;
  throw taskError(
    "stop_failed",
    `Cannot stop task "${task.record.id}" yet: no worker has answered; it is stopped as soon as one does`,
    { retryable: true },
  );
}
