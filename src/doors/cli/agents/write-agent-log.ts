import type { Task } from "../../../index.ts";
import type { CommandContext } from "../command.ts";
import { writeConversation } from "../conversation/write-conversation.ts";
import { lastOf } from "../last-of.ts";

export interface AgentLogOptions {
  task: Task;
  /** Go on until the task has ended. */
  follow?: boolean | undefined;
  /** Only the last so many entries. */
  tail?: number | undefined;
}

/** Writes the conversation of an agent as `show` does, as far as it is, or until the agent has ended. */
export async function writeAgentLog(
  context: CommandContext,
  { task, follow = false, tail }: AgentLogOptions,
): Promise<void> {
  const { agents } = await context.runtime();
  const all = agents.entries(task, { follow });
  const entries = tail === undefined || follow ? all : lastOf(all, tail);
  await writeConversation(context, entries, { isLive: follow });
}
