import { remoteStopMs } from "./limits.ts";
import { taskError } from "../../errors.ts";
import type { TaskKindHandler } from "../../kind-handler.ts";
import { askToStop, type StopOptions } from "../../supervise/stop-task.ts";
import type { Task } from "../../record/task.ts";
import type { EndedState } from "../../record/task-state.ts";
import { sendMessage } from "../agent/inbox.ts";
import { readRemoteOutput } from "./remote-output.ts";

/**
 * Agents that run on the fleet. What is asked of them is put beside the record, as for a local agent; the follower, which
 * has the connection, hands it on.
 */
export const remoteHandler: TaskKindHandler = {
  canHandle: ({ kind }) => kind === "remote_agent",
  getOutput: readRemoteOutput,
  stop: stopRemote,
  send: async (task, text, { clock }) =>
    sendMessage(task, text, { clock, otherwise: "bring it home to go on with it" }),
};

async function stopRemote(task: Task, options: StopOptions): Promise<EndedState> {
  const ended = await askToStop(task, options, { timeoutMs: remoteStopMs });
  if (ended) return ended;
  throw taskError(
    "stop_failed",
    `Cannot stop task "${task.record.id}" yet: no worker has answered; it is stopped as soon as one does`,
    { retryable: true },
  );
}
