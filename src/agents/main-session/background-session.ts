import { randomUUID } from "node:crypto";
import type { UserEntry, AssistantEntry } from "../../format/index.ts";
import { fromAnthropicMessages } from "../../store/chat-messages/from-anthropic-messages.ts";
import type { EntryDraft } from "../../store/write/session-writer.ts";
import { muteNotice } from "../../tasks/notices/notices.ts";
import type { AgentTasks, RunnerRequest } from "../../tasks/ports.ts";
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
    { running: [], after: [], kind: "main-session" },
  );
  const drafts = conversationDrafts(context, request);
  await beginAgent(context, task, { drafts, start: () => announce(task) });
  return new SessionInBackground(context, task, { query, abortController: request.abortController });
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

class SessionInBackground implements MainSession {
  readonly task: AgentTask;
  readonly result: MainSession["result"];
  readonly #context: MainSessionContext;
  readonly #request: Promise<RunnerRequest>;
  readonly #open: Promise<OpenAgent>;
  #isForeground = false;

  constructor(
    context: MainSessionContext,
    task: AgentTask,
    { query, abortController }: Pick<BackgroundSessionRequest, "query" | "abortController">,
  ) {
    this.#context = context;
    this.task = task;
    let onRequest: (request: RunnerRequest) => void;
    let onOpen: (open: OpenAgent) => void;
    this.#request = new Promise((resolve) => (onRequest = resolve));
    this.#open = new Promise((resolve) => (onOpen = resolve));
    const run = {
      goOn:
        typeof query === "function" ? query : this.#hosting(query, { onRequest: (each) => onRequest(each) }),
      onOpen: (open: OpenAgent) => {
        open.progress.setBackgrounded(true);
        onOpen(open);
      },
    };
    this.result = untilEnded(
      task,
      { clock: context.clock, controller: abortController, onEnding: () => this.#muteInForeground() },
      (signal) => hostLocalAgent(context, task, run, signal),
    );
  }

  get isForeground(): boolean {
    return this.#isForeground;
  }

  readonly askPermission: RunnerRequest["askPermission"] = async (request, signal) =>
    (await this.#request).askPermission(request, signal);

  readonly takeMessages: RunnerRequest["takeMessages"] = async () => (await this.#request).takeMessages();

  setForeground(isForeground: boolean): void {
    this.#isForeground = isForeground;
    void this.#open.then(({ progress }) => progress.setBackgrounded(!isForeground));
  }

  async relinkOutput(sessionId: string): Promise<void> {
    const { record, files } = this.task;
    const { writer } = await this.#open;
    const { agentId } = record.agent;
    await writer.moveTo(placeTranscript(this.#context, { cwd: record.cwd, sessionId, agentId }), files);
  }

  // The query runs already; of what a runner is given it has everything but what is told through the task.
  #hosting(
    query: Extract<BackgroundSessionRequest["query"], AsyncGenerator>,
    { onRequest }: { onRequest: (request: RunnerRequest) => void },
  ): RunUnderWay["goOn"] {
    const { cwd, agent } = this.task.record;
    const { env } = this.#context;
    const request = { messages: [], prompt: "", cwd, env, tasks: this.#context.tasksOf(this.task) };
    const hosted = { agentId: agent.agentId, request, limits: agent.limits, isOnce: true };
    const runner = (given: RunnerRequest): typeof query => {
      onRequest(given);
      return query;
    };
    return (ports, signal) => driveRunner(runner, hosted, ports, signal);
  }

  // Whoever has it in front of him sees the end; its ending event is sent all the same.
  #muteInForeground(): void {
    if (this.#isForeground) muteNotice(this.task);
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
