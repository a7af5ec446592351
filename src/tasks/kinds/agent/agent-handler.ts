import { inProcessStopMs } from "../../../format/limits.ts";
import { taskError } from "../../errors.ts";
import type { TaskKindHandler } from "../../kind-handler.ts";
import { requestStop, stopTask, type StopOptions } from "../../stop-task.ts";
import { refreshed, type Task } from "../../task.ts";
import { isEnded, type EndedState } from "../../task-state.ts";
import { touchTask } from "../../touch-task.ts";
import { waitForEnd } from "../../wait-task.ts";
import { readAgentOutput } from "./agent-output.ts";
import { putMessage } from "./inbox.ts";

/** Agents, main sessions among them. */
export const agentHandler: TaskKindHandler = {
  canHandle: ({ kind }) => kind === "local_agent",
  getOutput: readAgentOutput,
  stop: (task, options) =>
    task.record.agent?.isInProcess ? stopInProcess(task, options) : stopTask(task, options),
  async send(task, text, { clock }) {
    if (isEnded(refreshed(task).state)) {
      const { id } = task.record;
      throw taskError("no_stdin", `Cannot send to task "${id}": it has ended; continue it with a new prompt`);
    }
    putMessage(task.files, text, clock);
    touchTask(task.files);
  },
};

// It has no process of its own that could be signalled: whoever runs it is told, and ends it.
async function stopInProcess(task: Task, { by, reason, clock }: StopOptions): Promise<EndedState> {
  const { state } = refreshed(task);
  if (isEnded(state)) return state;
  requestStop(task, { by, ...(reason !== undefined && { reason }), at: clock.now().toISOString() });
  touchTask(task.files);
  const ended = await waitForEnd(task, { timeoutMs: inProcessStopMs });
  if (ended) return ended;
  const { pid } = task.record.launcher;
  throw taskError("stop_failed", `Cannot stop task "${task.record.id}": pid ${pid} does not end it`, {
    retryable: true,
    fields: { pids: [pid] },
  });
}
