import { taskError } from "../../tasks/errors.ts";
import type { Reader } from "../../tasks/notices/told.ts";
import type { AgentTasks } from "../../tasks/ports.ts";
import type { Task } from "../../tasks/record/task.ts";
import type { EndedState } from "../../tasks/record/task-state.ts";
import type { ShellRequest } from "../../tasks/kinds/shell/shell-request.ts";
import type { AgentRequest } from "../launch/agent-request.ts";
import type { AgentSettings } from "../../tasks/kinds/agent/agent-settings.ts";
import type { AgentTask } from "./run-agent-task.ts";

/** Whose tasks they are, and what an agent that is started inherits. */
export interface TasksOwner extends Pick<AgentSettings, "runner" | "model" | "permission" | "limits"> {
  cwd: string;
  sessionId: string;
  /** The agent that starts them; absent in the foreground conversation. */
  taskId?: string;
}

/** What the tools of an agent may do with tasks: what they start belongs to the agent's session and outlives the agent. */
export function agentTasks(tasks: StartableTasks, { record }: AgentTask): AgentTasks {
  const { agent, id, cwd } = record;
  return ownedTasks(tasks, { ...agent, cwd, sessionId: agent.transcript.sessionId, taskId: id });
}

/** What of all tasks it needs. */
export interface StartableTasks {
  start(request: ShellRequest): Promise<Task>;
  startAgent(request: AgentRequest): Promise<Task>;
  find(id: string): Task;
  output(
    task: Task,
    options: { block: boolean; timeoutMs?: number | undefined; signal: AbortSignal } & Reader,
  ): Promise<object>;
  told(task: Task, reader: Reader): Promise<void>;
  stop(task: Task, options: { by: string }): Promise<EndedState>;
}

/** The same for whoever has no record of its own: a conversation in the foreground. */
export function ownedTasks(tasks: StartableTasks, owner: TasksOwner): AgentTasks {
  const { cwd, sessionId, taskId: parentTaskId } = owner;
  const by = parentTaskId === undefined ? `session:${sessionId}` : `agent:${parentTaskId}`;
  const reader = { by, sessionId };
  return {
    async startShell(request) {
      const task = await tasks.start({ ...request, sessionId });
      return { taskId: task.record.id, outputFile: task.files.output };
    },
    async startAgent(request) {
      const { runner, permission, limits, model } = owner;
      if (!runner)
        throw taskError("task_refused", "Cannot run agent: this agent's own program must start it");
      const task = await tasks.startAgent({
        ...(model !== undefined && { model }),
        ...request,
        cwd,
        runner,
        permission,
        limits,
        sessionId,
        ...(parentTaskId !== undefined && { parentTaskId }),
      });
      return { taskId: task.record.id, outputFile: task.files.output };
    },
    output: (taskId, { block, timeoutMs, signal }) =>
      tasks.output(tasks.find(taskId), { block, timeoutMs, signal, ...reader }),
    async stop(taskId) {
      const task = tasks.find(taskId);
      const { status } = await tasks.stop(task, { by });
      await tasks.told(task, reader);
      const { record: stopped } = task;
      const message = `Task ${taskId} (${stopped.command}) is ${status}`;
      return { message, task_id: taskId, task_type: stopped.kind, command: stopped.command };
    },
  };
}
