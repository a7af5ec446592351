import { codeOf } from "../../../lib/errors.ts";
import type { ClientAgent } from "../../../agents/client-agent.ts";
import type { Runtime } from "../../../runtime/index.ts";
import type { Task } from "../../../tasks/record/task.ts";

/** What an id means where an agent can be meant that a client ran. */
export type TaskOrAgent = { kind: "task"; task: Task } | { kind: "agent"; agent: ClientAgent };

/** The task; if there is none, the agent of a client. Throws as `tasks.find` does. */
export async function findTaskOrAgent({ tasks, agents }: Runtime, id: string): Promise<TaskOrAgent> {
  try {
    return { kind: "task", task: await tasks.find(id) };
  } catch (error) {
    const agent =
      codeOf(error) === "task_not_found" && id !== "@last" ? await agents.ofClient(id) : undefined;
    if (agent) return { kind: "agent", agent };
    throw error;
  }
}
