import type { AskedOfAgent } from "../../agents/agent-start.ts";
import type { Task } from "../../tasks/record/task.ts";
import type { StartingPlace } from "./starting-place.ts";

/** What of an agent is to be otherwise when it goes on. */
export interface ContinuationAsked extends AskedOfAgent {
  prompt?: string | undefined;
}

/**
 * An ended agent goes on with its conversation, with the agent, limits and permission that it had, as far as the settings of
 * its folder still allow them.
 */
export async function continueAgent(
  { agents, settings }: Pick<StartingPlace, "agents" | "settings">,
  task: Task,
  { prompt, model, ...asked }: ContinuationAsked,
  { cwd: choosingIn }: { cwd: string },
): Promise<Task> {
  const { cwd, agent: before } = task.record;
  const { permission, limits, timeoutMs } = await settings.forAgent(
    {
      permission: before?.permission,
      ...asked,
      limits: { ...before?.limits, ...asked.limits },
    },
    { cwd },
  );
  const { agent, command, script, runner } = asked;
  const isOther = [agent, command, script, runner].some((named) => named !== undefined);
  return agents.continue(task, {
    prompt,
    ...(isOther && { runner: await agents.choose(asked, { cwd: choosingIn }) }),
    model,
    permission,
    limits,
    timeoutMs,
  });
}
