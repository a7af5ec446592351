import type { PermissionPolicy } from "../../tasks/kinds/agent/agent-settings.ts";
import type { Tasks } from "../../tasks/open-tasks.ts";
import type { MainSession } from "../main-session/main-session.ts";
import type { Agents } from "../open-agents.ts";

export interface GoOnOptions {
  tasks: Pick<Tasks, "find" | "stop" | "refresh">;
  agents: Pick<Agents, "continue">;
  permission: PermissionPolicy;
  /** Who ends it here. */
  by: string;
}

/**
 * Gives a query a process of its own: it is ended here and continued there from its transcript, so that what it had said
 * is not said again. False when it cannot go on without this process.
 */
export async function goOnAlone(
  { task }: MainSession,
  { tasks, agents, permission, by }: GoOnOptions,
): Promise<boolean> {
  const found = await tasks.find(task.record.id);
  await tasks.stop(found, { by, reason: "the chat ended; it continues in a process of its own" });
  try {
    await agents.continue(await tasks.refresh(found), { permission });
    return true;
  } catch {
    return false;
  }
}
