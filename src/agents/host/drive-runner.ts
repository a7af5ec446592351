import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { EntryDraft } from "../../store/write/session-writer.ts";
import type {
  AgentTodo,
  ContentPart,
  KeptOutput,
  PermissionAnswer,
  PermissionRequest,
  Runner,
  RunnerEnd,
  RunnerEvent,
  RunnerMessage,
  RunnerRequest,
  ToolOutput,
} from "../../tasks/ports.ts";
import type { AgentProgress, NeededInput } from "../../tasks/kinds/agent/agent-progress.ts";
import type { AgentOutcome, AgentResult } from "../../tasks/kinds/agent/agent-result.ts";
import type { SentMessage } from "../../tasks/kinds/agent/inbox.ts";
import type { AgentLimits } from "../../tasks/kinds/agent/agent-settings.ts";
import { textsOf } from "../launch/content-parts.ts";
import { patient } from "./patient-events.ts";
import { promptDraft } from "../launch/prompt-entries.ts";
import { draftOf, ToldTexts } from "./query-entries.ts";
import type { Ledger, Spent } from "./budget.ts";
import { ProgressCounter, type MessagePrice } from "./progress-counter.ts";
import { Spending } from "./spending.ts";

/**
 * What the host of an agent needs from the place where it runs: a local task, a conversation in front of a person, an
 * embedder, a worker of a fleet. Who gives them may change where they lead while the agent runs.
 */
export interface AgentHostPorts {
  /** Appends to the transcript; resolves to the entry's uuid once it would survive this process. */
  append(draft: EntryDraft): Promise<string>;
  /** Told after every change; how often it looks is the receiver's choice. Somebody waits for a question, or its answer. */
  onProgress(read: () => AgentProgress, options: { isAwaited: boolean }): void;
  /** Told of everything the runner tells; of a message, once it is in the transcript. */
  onEvent?(event: RunnerEvent): void;
  /** Keeps the agent's to-do list where the client keeps it. */
  keepTodos?: (todos: readonly AgentTodo[]) => void;
  /** Makes a file for what a tool prints that is too long for its result. */
  keepOutput?: (tool: string) => KeptOutput;
  /** Told of what a running tool prints, a few times a second. */
  onOutput?: (output: ToolOutput) => void;
  askPermission(
    request: PermissionRequest,
    options: { signal: AbortSignal; onNeeded: (needed: NeededInput | undefined) => void },
  ): Promise<PermissionAnswer>;
  /** What was said to the agent and is not in the transcript yet, oldest first. */
  readMessages(): HeardMessage[] | Promise<HeardMessage[]>;
  /** That it is in the transcript now. */
  forgetMessage(message: SentMessage): void;
  /** Takes no more messages; false when one has just come, which must be read first. */
  closeMessages?(): boolean;
  /** The conversation as it is in the transcript. */
  readConversation(): Promise<RunnerMessage[]>;
  clock: Clock;
  /** Loads the prices; asked for when a limit of cost is set, and for the result. */
  loadPrice(): Promise<MessagePrice>;
  /** Where it counts what it uses of its limits, together with the agents that it starts; for itself when absent. */
  ledger?: Ledger;
  /** Waited for between taking a request from the budget and making it: what all have used must be known elsewhere, too. */
  onTaken?(used: Spent): Promise<void>;
}

/** A message as it is to be recorded; as a prompt when it does not say how. */
export interface HeardMessage extends SentMessage {
  draft?: EntryDraft;
}

/** An agent to be run: what its runner is given, but for what the host itself provides. */
export interface HostedAgent {
  agentId: string;
  request: Omit<RunnerRequest, "askPermission" | "takeMessages">;
  limits: AgentLimits;
  /** How far it was when another process ran it. */
  before?: AgentProgress | undefined;
  /** The runner cannot begin another run for what comes too late. */
  isOnce?: boolean;
}

/**
 * Drives a runner to its end. Every message is in the transcript before it is counted and before the runner goes on, so
 * whatever happens to this process, the transcript is what happened. Never throws: what went wrong is in the result.
 */
export async function driveRunner(
  runner: Runner,
  { agentId, request, limits, isOnce, before }: HostedAgent,
  ports: AgentHostPorts,
  signal: AbortSignal,
): Promise<AgentResult> {
  const startedAt = ports.clock.now().getTime();
  const counter = new ProgressCounter(before);
  counter.set("foreignSessionId", request.foreignSessionId);
  let told = new ToldTexts();
  let answer: { messageId: string; content: ContentPart[] } = { messageId: "", content: [] };
  const { ledger } = ports;
  const onTaken = async (used: Spent): Promise<void> => ports.onTaken?.(used);
  const spending = new Spending({ agentId, limits, counter, ledger, onTaken });
  let lastKind: RunnerEvent["kind"] | undefined;
  const now = (): string => ports.clock.now().toISOString();
  // At the time when it is asked for, which may be later than what it tells of.
  const progress = (): AgentProgress => counter.progress({ at: now(), price: spending.price });

  let outcome: AgentOutcome;
  try {
    if (limits.maxCostUsd !== undefined) spending.price = await ports.loadPrice();
    let next = request;
    for (;;) {
      outcome = await drive(next);
      const more = outcome.status === "completed" && !isOnce ? await toldMore() : undefined;
      if (!more) break;
      next = { ...request, ...more };
    }
  } catch (error) {
    outcome = signal.aborted
      ? { status: "interrupted" }
      : (spending.refusal ?? { status: "failed", reason: "agent-error", error: messageOf(error) });
  }
  return resultOf(outcome);

  async function drive(given: HostedAgent["request"]): Promise<AgentOutcome> {
    // A limit ends the runner by the same signal as a stop.
    const ending = new AbortController();
    const until = AbortSignal.any([signal, ending.signal]);
    const takeRequest: RunnerRequest["takeRequest"] = (wanted) => spending.takeRequest(wanted);
    const { onOutput: tellOutput, keepOutput } = ports;
    const asked = { ...given, askPermission, takeMessages, takeRequest, tellOutput, keepOutput };
    const events = patient(runner(asked, until), until);
    try {
      for (;;) {
        const limit = spending.reachedLimit({ isBetweenTurns: lastKind === "user" });
        if (limit) return limit;
        const next = await events.next();
        if (next === undefined) return { status: "interrupted" };
        if (next.done) return signal.aborted ? { status: "interrupted" } : outcomeOf(next.value);
        await take(next.value);
      }
    } finally {
      ending.abort();
      await events.close();
    }
  }

  // What came too late for the runner, or to one that never asks, is said to the agent in another run.
  async function toldMore(): Promise<Partial<HostedAgent["request"]> | undefined> {
    let texts: string[];
    // Whoever was told that his message is there must be heard: none may come behind the last look.
    do texts = await takeMessages();
    while (texts.length === 0 && ports.closeMessages?.() === false);
    if (texts.length === 0) return undefined;
    told = new ToldTexts();
    const { foreignSessionId } = progress();
    const messages = await ports.readConversation();
    return {
      messages,
      prompt: texts.join("\n\n"),
      ...(foreignSessionId !== undefined && { foreignSessionId }),
    };
  }

  function askPermission(asked: PermissionRequest, until: AbortSignal): Promise<PermissionAnswer> {
    const onNeeded = (needed: NeededInput | undefined): void => {
      counter.set("needsInput", needed);
      ports.onProgress(progress, { isAwaited: true });
    };
    return ports.askPermission(asked, { signal: until, onNeeded });
  }

  async function takeMessages(): Promise<string[]> {
    const texts: string[] = [];
    for (const message of await ports.readMessages()) {
      await ports.append({ ...(message.draft ?? promptDraft(message.text)), uuid: message.id });
      ports.forgetMessage(message);
      told.add(message.text);
      texts.push(message.text);
    }
    return texts;
  }

  async function take(event: RunnerEvent): Promise<void> {
    if (event.kind === "delta") return ports.onEvent?.(event);
    if (event.kind === "assistant" || event.kind === "user") {
      if (told.isRepeated(event)) return;
      await ports.append(draftOf(event));
      if (event.kind === "assistant") noteAnswer(event.message);
    }
    if (event.kind === "todos") ports.keepTodos?.(event.todos);
    lastKind = event.kind;
    counter.count(event, now());
    spending.settleTold(progress);
    ports.onEvent?.(event);
    ports.onProgress(progress, { isAwaited: false });
  }

  function noteAnswer({ id, content }: { id: string; content: ContentPart[] }): void {
    const texts = content.filter((part) => part.type === "text" && textsOf([part]).length > 0);
    if (texts.length === 0) return;
    const isSame = answer.messageId === id;
    answer = { messageId: id, content: isSame ? [...answer.content, ...texts] : texts };
  }

  async function resultOf(ended: AgentOutcome): Promise<AgentResult> {
    counter.set("needsInput", undefined);
    // Without prices the answer is still worth everything.
    spending.settle();
    spending.price ??= await ports.loadPrice().catch(() => undefined);
    const last = progress();
    ports.onProgress(() => last, { isAwaited: false });
    return {
      schemaVersion: 1,
      agentId,
      outcome: ended,
      content: answer.content,
      totalDurationMs: ports.clock.now().getTime() - startedAt,
      totalTokens: last.tokens,
      totalToolUseCount: last.toolUses,
      usage: last.usage,
      ...(last.costUsd !== undefined && { costUsd: last.costUsd }),
    };
  }
}

function outcomeOf({ reason }: RunnerEnd): AgentOutcome {
  switch (reason) {
    case "done":
      return { status: "completed" };
    case "max_turns":
      return { status: "failed", reason: "turns", error: "it took as many turns as its runner allows" };
    case "max_tokens":
      return { status: "failed", reason: "tokens", error: "its answer was cut off at the model's limit" };
    case "refusal":
      return { status: "failed", reason: "agent-error", error: "the model refused" };
  }
}
