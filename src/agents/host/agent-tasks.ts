import { codeOf } from "../../lib/errors.ts";
import { taskError } from "../../tasks/errors.ts";
import type { AgentTasks } from "../../tasks/ports.ts";
import type { Tasks } from "../../tasks/open-tasks.ts";
import type { Agents } from "../open-agents.ts";
import type { AgentSettings } from "../../tasks/kinds/agent/agent-settings.ts";
import type { AgentTask } from "./host-local-agent.ts";

/** Whose tasks they are, and what an agent that is started inherits. */
export interface TasksOwner extends Pick<AgentSettings, "runner" | "permission" | "limits" | "budget"> {
  model?: string | undefined;
  cwd: string;
  sessionId: string;
  /** The agent that starts them; absent in the foreground conversation. */
  taskId?: string;
}

/** What the tools of an agent may do with tasks: what they start belongs to the agent's session and outlives the agent. */
export function agentTasks(startable: StartableTasks, { record }: AgentTask): AgentTasks {
  const { agent, id, cwd } = record;
  return ownedTasks(startable, { ...agent, cwd, sessionId: agent.transcript.sessionId, taskId: id });
}

/** What of all tasks and agents it needs. */
export interface StartableTasks {
  tasks: Pick<Tasks, "start" | "find" | "output" | "stop" | "told">;
  agents: Pick<Agents, "start" | "ofClient">;
}

/** The same for whoever has no record of its own: a conversation in the foreground. */
export function ownedTasks({ tasks, agents }: StartableTasks, owner: TasksOwner): AgentTasks {
  const { cwd, sessionId, taskId: parentTaskId } = owner;
  const by = parentTaskId === undefined ? `session:${sessionId}` : `agent:${parentTaskId}`;
  const reader = { by, sessionId };
  return {
    async startShell(request) {
      const task = await tasks.start({ ...request, sessionId });
      return { taskId: task.record.id, outputFile: task.files.output };
    },
    async startAgent(request) {
      const { runner, permission, limits, budget, model } = owner;
      if (!runner)
        throw taskError("task_refused", "Cannot run agent: only this agent's own program can start it");
      const task = await agents.start({
        ...(model !== undefined && { model }),
        ...request,
        cwd,
        runner,
        permission,
        limits,
        ...(budget !== undefined && { budget }),
        sessionId,
        ...(parentTaskId !== undefined && { parentTaskId }),
      });
      return { taskId: task.record.id, outputFile: task.files.output };
    },
    async output(taskId, { block, timeoutMs, signal }) {
      try {
        return await tasks.output(taskId, { block, timeoutMs, signal, ...reader });
      } catch (error) {
        const agent = codeOf(error) === "task_not_found" ? await agents.ofClient(taskId) : undefined;
        if (agent) return agent.output;
        throw error;
      }
    },
    async stop(taskId) {
      const task = await tasks.find(taskId);
      const { status } = await tasks.stop(task, { by });
      await tasks.told(task, reader);
      const { record: stopped } = task;
      const message = `Task ${taskId} (${stopped.command}) is ${status}`;
      return { message, task_id: taskId, task_type: stopped.kind, command: stopped.command };
    },
  };
}
