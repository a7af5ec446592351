import type { Tasks } from "../../tasks/open-tasks.ts";
import type { Task } from "../../tasks/task.ts";
import type { CommandContext } from "../command.ts";
import { withProgress } from "../progress.ts";
import { dispatchAgent, type RemoteAgentRequest } from "./dispatch-agent.ts";
import type { RemoteOptions } from "./remote-options.ts";

/** `holdfast agent --remote`. */
export async function startRemoteAgent(
  context: CommandContext,
  tasks: Tasks,
  { request, label, clone, links, from }: RemoteOptions & { request: RemoteAgentRequest },
): Promise<Task> {
  const sessions = await context.openSessions();
  const session = from === undefined ? undefined : await sessions.find(from);
  const sent = dispatchAgent(
    context,
    tasks,
    { ...request, label, clone, links, from: session },
    { configDir: sessions.configDir },
  );
  return withProgress(context, "Sending the folder to the fleet", sent);
}
