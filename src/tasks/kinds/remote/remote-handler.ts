import { remoteStopMs } from "./limits.ts";
import { taskError } from "../../errors.ts";
import type { TaskOutputOptions } from "../../output/task-output.ts";
import type { TaskKindHandler } from "../../kind-handler.ts";
import { askToStop, type StopOptions } from "../../supervise/stop-task.ts";
import type { Task } from "../../record/task.ts";
import type { EndedState } from "../../record/task-state.ts";
import { sendMessage } from "../agent/inbox.ts";
import { readAgentOutput, type AgentOutput } from "../agent/agent-output.ts";
import { readProgress } from "../agent/agent-progress.ts";
import { teleportCommand } from "./remote-settings.ts";

/**
 * Agents that run on the fleet. What is asked of them is put beside the record, as for a local agent; the follower, which
 * has the connection, hands it on.
 */
export const remoteHandler: TaskKindHandler = {
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

/** A remote agent's answer and state, as TaskOutput gives them. */
interface RemoteOutput extends AgentOutput {
  sessionId: string;
  url: string;
  teleportCommand: string;
  lastProgress: { summary?: string; todos: readonly object[] };
}

async function readRemoteOutput(task: Task, options: TaskOutputOptions): Promise<RemoteOutput> {
  const output = await readAgentOutput(task, options);
  const { summary, todos = [] } = readProgress(task.files) ?? {};
  const { sessionId = "", url = "" } = task.record.remote ?? {};
  return {
    ...output,
    sessionId,
    url,
    teleportCommand: teleportCommand(task.record.id),
    lastProgress: { ...(summary !== undefined && { summary }), todos },
  };
}
