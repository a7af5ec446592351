import { isAssistant, isUser } from "../../format/entry-kinds.ts";
import { openJoined } from "../../store/owed/join-owed.ts";
import { OpenTools } from "../../store/owed/open-tools.ts";
import type { SessionRef } from "../../store/list/find-session.ts";
import { readAll } from "../../store/read/conversation.ts";
import { taskError } from "../../tasks/errors.ts";
import { mainSessionType, type AgentTask } from "../host/host-local-agent.ts";
import { checkAgentRequest, type AgentRequest } from "../launch/agent-request.ts";
import { checkFence, checkRunner } from "../launch/check-runner.ts";
import { launchHost, newAgentTask, type AgentLaunchContext } from "../launch/launch-agent.ts";
import { promptDraft } from "../launch/prompt-entries.ts";
import { getAgentType } from "../types/index.ts";
import { beginOwed } from "./owe-answer.ts";

/** Something to ask in the background from where the conversation of a session is now. */
export interface FromSessionRequest extends Pick<
  AgentRequest,
  | "prompt"
  | "cwd"
  | "runner"
  | "model"
  | "name"
  | "description"
  | "permission"
  | "limits"
  | "timeoutMs"
  | "env"
  | "muted"
> {
  session: SessionRef;
  /** The agent type that the conversation is held as; none by default. */
  type?: string | undefined;
}

/**
 * Starts a query in a process of its own that begins with the conversation of a session, as far as it is, whatever runs
 * there. Prompt and answer are owed to the session. Throws `task_refused` when nothing has been said in it.
 */
export async function askFromSession(
  context: AgentLaunchContext,
  { session, type: mainType, ...request }: FromSessionRequest,
  { running }: { running: number },
): Promise<AgentTask> {
  checkAgentRequest({ ...request, sessionId: session.sessionId });
  const runner = await checkRunner(request.runner, request.cwd);
  checkFence(runner, { permission: request.permission, env: { ...context.env, ...request.env } });
  const { configDir, home } = context;
  const typed =
    mainType === undefined ? undefined : await getAgentType(mainType, { cwd: request.cwd, configDir });
  const { entries } = readAll(await openJoined(home, session, { mode: "context" }));
  const conversation = entries.filter((entry) => isUser(entry) || isAssistant(entry));
  if (conversation.length === 0)
    throw taskError(
      "task_refused",
      `Cannot go on from session "${session.sessionId}": nothing was said in it yet`,
    );
  const task = newAgentTask(
    context,
    {
      ...request,
      model: request.model ?? typed?.model,
      runner,
      sessionId: session.sessionId,
      type: mainSessionType,
      mainType,
      isOwed: true,
    },
    { running, after: [], kind: "main-session" },
  );
  const open = new OpenTools();
  for (const entry of conversation) open.see(entry);
  await beginOwed(context, task, {
    conversation,
    closing: open.interrupted(STILL_RUNNING),
    drafts: [{ ...promptDraft(request.prompt), promptSource: "typed" }],
    start: () => launchHost(context, task, request),
  });
  return task;
}

const STILL_RUNNING = "This tool still runs where the conversation goes on; its result is not known here.";
