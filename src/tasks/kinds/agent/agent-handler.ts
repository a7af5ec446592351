import { inProcessStopMs } from "./limits.ts";
import { taskError } from "../../errors.ts";
import type { TaskKindHandler } from "../../kind-handler.ts";
import { askToStop, stopTask, type StopOptions } from "../../supervise/stop-task.ts";
import { readSupervisor } from "../../record/read-state.ts";
import type { Task } from "../../record/task.ts";
import type { EndedState } from "../../record/task-state.ts";
import { readAgentOutput } from "./agent-output.ts";
import { sendMessage } from "./inbox.ts";

/** Agents, main sessions among them. */
export const agentHandler: TaskKindHandler = {
  getOutput: readAgentOutput,
  stop: (task, options) => (runsInLauncher(task) ? stopInProcess(task, options) : stopTask(task, options)),
  send: async (task, text, { clock }) =>
    sendMessage(task, text, { clock, otherwise: "continue it with a new prompt" }),
};

// It may have been given a process of its own since: who runs it now is in `.run`.
function runsInLauncher({ record, files }: Task): boolean {
  if (!record.agent?.isInProcess) return false;
  const { launcher } = record;
  const supervisor = readSupervisor(files, record);
  return !supervisor || (supervisor.pid === launcher.pid && supervisor.startTime === launcher.startTime);
}

// It has no process of its own that could be signalled: whoever runs it is told, and ends it.
async function stopInProcess(task: Task, options: StopOptions): Promise<EndedState> {
  const ended = await askToStop(task, options, { timeoutMs: inProcessStopMs });
  if (ended) return ended;
  if (!runsInLauncher(task)) return stopTask(task, options);
  const { pid } = task.record.launcher;
  throw taskError("stop_failed", `Cannot stop task "${task.record.id}": pid ${pid} does not end it`, {
    retryable: true,
    fields: { pids: [pid] },
  });
}
