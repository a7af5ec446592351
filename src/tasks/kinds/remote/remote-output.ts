import type { TaskOutputOptions } from "../../output/task-output.ts";
import type { Task } from "../../record/task.ts";
import { readAgentOutput, type AgentOutput } from "../agent/agent-output.ts";
import { readProgress } from "../agent/agent-progress.ts";
import { teleportCommand } from "./remote-settings.ts";

/** A remote agent's answer and state, as TaskOutput gives them. */
export interface RemoteOutput extends AgentOutput {
  sessionId: string;
  url: string;
  teleportCommand: string;
  lastProgress: { summary?: string; todos: readonly object[] };
}

export async function readRemoteOutput(task: Task, options: TaskOutputOptions): Promise<RemoteOutput> {
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
