import { randomUUID } from "node:crypto";
import type { UserEntry, AssistantEntry } from "../../format/index.ts";
import { fromAnthropicMessages } from "../../store/chat-messages/from-anthropic-messages.ts";
import type { EntryDraft } from "../../store/write/session-writer.ts";
import { muteNotice } from "../../tasks/notices/notices.ts";
import type { AgentTasks, RunnerEnd, RunnerEvent, RunnerRequest } from "../../tasks/ports.ts";
import { placeTranscript } from "../launch/agent-transcript.ts";
import { textsOf } from "../launch/content-parts.ts";
import { beginAgent, newAgentTask, type AgentLaunchContext } from "../launch/launch-agent.ts";
import { announce, untilEnded } from "../host/run-in-process.ts";
import { driveRunner } from "../host/drive-runner.ts";
import {
  hostLocalAgent,
  type AgentTask,
  type OpenAgent,
  type RunUnderWay,
} from "../host/host-local-agent.ts";
import type {
  BackgroundSessionRequest,
  MainSession,
  MainSessionRequest,
  RegisteredSession,
} from "./main-session.ts";
import { pushedEvents } from "./pushed-events.ts";

export const mainSessionType = "main-session";

export interface MainSessionContext extends AgentLaunchContext {
  tasksOf: (task: AgentTask) => AgentTasks;
}

/** Puts a running query into the background: it goes on as a task, in a transcript of its own. */
export async function backgroundSession(
  context: MainSessionContext,
  { query, ...request }: BackgroundSessionRequest,
): Promise<MainSession> {
  const task = newAgentTask(
    context,
    {
      ...request,
      prompt: promptOf(request),
      type: mainSessionType,
      isInProcess: true,
    },
    { running: 0, after: [], kind: "main-session" },
  );
  const drafts = conversationDrafts(context, request);
  await beginAgent(context, task, { drafts, start: () => announce(task) });
  return sessionInBackground(context, task, { query, abortController: request.abortController });
}

/** Makes a task of a query that the caller goes on to drive: what it tells is recorded event by event. */
export async function registerMainSession(
  context: MainSessionContext,
  request: MainSessionRequest,
): Promise<RegisteredSession> {
  const { events, push, end } = pushedEvents();
  const session = await backgroundSession(context, { ...request, query: events });
  return Object.assign(session, {
    record: push,
    complete(error?: Error) {
      end(error);
      return session.result;
    },
  });
}

function sessionInBackground(
  context: MainSessionContext,
  task: AgentTask,
  { query, abortController }: Pick<BackgroundSessionRequest, "query" | "abortController">,
): MainSession {
  const { cwd, agent } = task.record;
  const { agentId, limits } = agent;
  let isForeground = false;
  let onRequest: (request: RunnerRequest) => void;
  let onOpen: (open: OpenAgent) => void;
  const given = new Promise<RunnerRequest>((resolve) => (onRequest = resolve));
  const opened = new Promise<OpenAgent>((resolve) => (onOpen = resolve));
  const run = {
    goOn: typeof query === "function" ? query : hosting(query),
    onOpen(open: OpenAgent) {
      open.progress.setBackgrounded(true);
      onOpen(open);
    },
  };
  // Whoever has it in front of him sees the end; its ending event is sent all the same.
  const onEnding = (): void => void (isForeground && muteNotice(task));
  return {
    task,
    result: untilEnded(task, { clock: context.clock, controller: abortController, onEnding }, (signal) =>
      hostLocalAgent(context, task, run, signal),
    ),
    get isForeground() {
      return isForeground;
    },
    askPermission: async (request, signal) => (await given).askPermission(request, signal),
    takeMessages: async () => (await given).takeMessages(),
    setForeground(wanted) {
      isForeground = wanted;
      void opened.then(({ progress }) => progress.setBackgrounded(!wanted));
    },
    async relinkOutput(sessionId) {
      const { writer } = await opened;
      await writer.moveTo(placeTranscript(context, { cwd, sessionId, agentId }), task.files);
    },
  };

  // The query runs already; of what a runner is given it has everything but what is told through the task.
  function hosting(running: AsyncGenerator<RunnerEvent, RunnerEnd>): RunUnderWay["goOn"] {
    const request = { messages: [], prompt: "", cwd, env: context.env, tasks: context.tasksOf(task) };
    const runner = (asked: RunnerRequest): typeof running => {
      onRequest(asked);
      return running;
    };
    return (ports, signal) => driveRunner(runner, { agentId, request, limits, isOnce: true }, ports, signal);
  }
}

function promptOf({ messages, description }: MainSessionRequest): string {
  const asked = messages.findLast(({ role, content }) => role === "user" && textsOf(content).length > 0);
  return asked ? textsOf(asked.content).join("\n\n") : description;
}

// With nothing said yet, what it is about stands for the prompt: a transcript begins with one.
function conversationDrafts({ clock }: MainSessionContext, request: MainSessionRequest): EntryDraft[] {
  const { messages, sessionId, cwd } = request;
  const said = messages.length > 0 ? messages : [{ role: "user" as const, content: promptOf(request) }];
  return fromAnthropicMessages(said, { sessionId, cwd, version: "", clock, newUuid: randomUUID }).map(
    draftOf,
  );
}

function draftOf(entry: UserEntry | AssistantEntry): EntryDraft {
  const { type, message, uuid } = entry;
  const askedBy = type === "user" ? entry.sourceToolAssistantUUID : undefined;
  return { type, message, uuid, ...(askedBy !== undefined && { sourceToolAssistantUUID: askedBy }) };
}
