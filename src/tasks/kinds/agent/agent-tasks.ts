import type { AgentTasks } from "../../ports.ts";
import type { Tasks } from "../../open-tasks.ts";
import type { AgentTask } from "./run-agent-task.ts";
import { taskError } from "../../errors.ts";

/** What the tools of an agent may do with tasks: what they start belongs to the agent's session and outlives the agent. */
export function agentTasks(
  tasks: Pick<Tasks, "start" | "startAgent" | "find" | "output" | "stop">,
  { record }: AgentTask,
): AgentTasks {
  const { agent, id, cwd } = record;
  const { sessionId } = agent.transcript;
  const by = `agent:${id}`;
  return {
    async startShell(request) {
      const task = await tasks.start({ ...request, sessionId });
      return { taskId: task.record.id, outputFile: task.files.output };
    },
    async startAgent(request) {
      if (!agent.runner)
        throw taskError("task_refused", "Cannot run agent: this agent's own program must start it");
      const { runner, permission, limits, model } = agent;
      const task = await tasks.startAgent({
        ...(model !== undefined && { model }),
        ...request,
        cwd,
        runner,
        permission,
        limits,
        sessionId,
        parentTaskId: id,
      });
      return { taskId: task.record.id, outputFile: task.files.output };
    },
    output: (taskId, { block, timeoutMs, signal }) =>
      tasks.output(tasks.find(taskId), { block, timeoutMs, signal, by }),
    async stop(taskId) {
      const task = tasks.find(taskId);
      const { status } = await tasks.stop(task, { by });
      const { record: stopped } = task;
      const message = `Task ${taskId} (${stopped.command}) is ${status}`;
      return { message, task_id: taskId, task_type: stopped.kind, command: stopped.command };
    },
  };
}
