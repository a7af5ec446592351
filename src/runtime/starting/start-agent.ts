import type { AskedOfAgent } from "../../agents/agent-start.ts";
import type { SessionRef } from "../../store/list/find-session.ts";
import type { Task } from "../../tasks/record/task.ts";
import { remoteRunner } from "./remote-runner.ts";
import type { StartingPlace } from "./starting-place.ts";

/** An agent as somebody asks for it. What is not said is as the settings of the folder say. */
export interface AgentAsked extends AskedOfAgent {
  prompt: string;
  cwd: string;
  name?: string | undefined;
  description?: string | undefined;
  /** The session that launches it. */
  sessionId?: string | undefined;
  /** Prompt and answer become part of this session; on the fleet it goes on there. */
  from?: SessionRef | undefined;
  /** On the fleet, with the folder as it is. */
  remote?:
    | { label?: string | undefined; clone?: string | undefined; links?: boolean | undefined }
    | undefined;
  after?: string[] | undefined;
  queue?: boolean | undefined;
  muted?: boolean | undefined;
}

/** Starts an agent here or on the fleet. Throws `setting_refused` for more than the folder's own settings allow. */
export async function startAgent(
  { agents, settings, fleet }: StartingPlace,
  { remote, from, after, queue, ...asked }: AgentAsked,
): Promise<Task> {
  const { prompt, cwd, type, name, description, sessionId, muted } = asked;
  const start = await settings.forAgent(asked, { cwd });
  const runner = remote ? remoteRunner(start) : await agents.choose(start, { cwd });
  const { model, permission, limits, timeoutMs } = start;
  const request = {
    prompt,
    cwd,
    runner,
    type,
    model,
    name,
    description,
    sessionId,
    permission,
    limits,
    timeoutMs,
    muted,
  };
  if (remote) return fleet.start({ ...request, ...remote, from });
  if (from) return agents.askFromSession({ ...request, session: from });
  return agents.start({ ...request, after, queue });
}
