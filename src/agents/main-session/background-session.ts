import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { isTypedPrompt, textOf } from "../../format/entry-kinds.ts";
import type { UserEntry, AssistantEntry } from "../../format/index.ts";
import { parseTaskNotification } from "../../format/task-notification.ts";
import { fromAnthropicMessages } from "../../store/chat-messages/from-anthropic-messages.ts";
import type { EntryDraft } from "../../store/write/session-writer.ts";
import { muteNotice } from "../../tasks/notices/notices.ts";
import type { AgentTasks, RunnerEnd, RunnerEvent, RunnerRequest } from "../../tasks/ports.ts";
import { placeTranscript } from "../launch/agent-transcript.ts";
import { textsOf } from "../launch/content-parts.ts";
import { beginAgent, newAgentTask, type AgentLaunchContext } from "../launch/launch-agent.ts";
import { announce, untilEnded } from "../host/run-in-process.ts";
import { driveRunner } from "../host/drive-runner.ts";
import { giveOwnProcess } from "../launch/give-own-process.ts";
import { beginOwed } from "./owe-answer.ts";
import type { AgentResult } from "../../tasks/kinds/agent/agent-result.ts";
import {
  hostLocalAgent,
  mainSessionType,
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

export interface MainSessionContext extends AgentLaunchContext {
  tasksOf: (task: AgentTask) => AgentTasks;
}

/** Puts a running query into the background: it goes on as a task, in a transcript of its own. */
export async function backgroundSession(
  context: MainSessionContext,
  { query, ...request }: BackgroundSessionRequest,
): Promise<MainSession> {
  const { conversation } = request;
  const task = newAgentTask(
    context,
    {
      ...request,
      prompt: promptOf(request),
      type: mainSessionType,
      isInProcess: true,
      isOwed: conversation !== undefined,
    },
    { running: 0, after: [], kind: "main-session" },
  );
  const start = (): Promise<void> => announce(task);
  if (conversation) await beginOwed(context, task, { conversation, start });
  else await beginAgent(context, task, { drafts: conversationDrafts(context, request), start });
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
  const controller = abortController ?? new AbortController();
  let isForeground = false;
  let isHandedOn = false;
  // Not when it was done before, or somebody stops it.
  const goesOn = ({ outcome }: AgentResult): boolean =>
    isHandedOn && outcome.status === "interrupted" && !fs.existsSync(task.files.stop);
  let onRequest: (request: RunnerRequest) => void;
  let onOpen: (open: OpenAgent) => void;
  const given = new Promise<RunnerRequest>((resolve) => (onRequest = resolve));
  const opened = new Promise<OpenAgent>((resolve) => (onOpen = resolve));
  const run = {
    goOn: typeof query === "function" ? query : hosting(query),
    goesOn,
    onOpen(open: OpenAgent) {
      open.progress.setBackgrounded(true);
      onOpen(open);
    },
  };
  // Whoever has it in front of him sees the end; its ending event is sent all the same.
  const onEnding = (): void => void (isForeground && muteNotice(task));
  const result = untilEnded(task, { clock: context.clock, controller, onEnding, goesOn }, (signal) =>
    hostLocalAgent(context, task, run, signal),
  );
  return {
    task,
    result,
    get isForeground() {
      return isForeground;
    },
    askPermission: async (request, signal) => (await given).askPermission(request, signal),
    takeMessages: async () => (await given).takeMessages(),
    setForeground(wanted) {
      isForeground = wanted;
      void opened.then(({ progress }) => progress.setBackgrounded(!wanted));
    },
    async handOn({ permission, allowed = [], onEndedHere }) {
      // It has told the task by then how far it is.
      await Promise.race([opened, result.catch(() => {})]);
      isHandedOn = true;
      controller.abort();
      const ended = await result;
      await onEndedHere?.();
      if (!goesOn(ended)) return false;
      await giveOwnProcess(context, task, { permission, allowed });
      return true;
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

type Begun = Omit<BackgroundSessionRequest, "query">;

// What a person said: an agent may have been woken by the news of a task since.
function promptOf({ prompt, conversation = [], messages = [], description }: Begun): string {
  if (prompt !== undefined && prompt.trim() !== "") return prompt;
  const typed = conversation.findLast(isTypedPrompt);
  if (typed) return textOf(typed);
  const said = messages
    .filter(({ role }) => role === "user")
    .map(({ content }) => textsOf(content).join("\n\n"));
  return said.findLast((text) => text !== "" && !parseTaskNotification(text)) ?? description;
}

// With nothing said yet, what it is about stands for the prompt: a transcript begins with one.
function conversationDrafts({ clock }: MainSessionContext, request: Begun): EntryDraft[] {
  const { messages = [], sessionId, cwd } = request;
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
