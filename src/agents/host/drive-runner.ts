import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { EntryDraft } from "../../store/write/session-writer.ts";
import type {
  ContentPart,
  PermissionAnswer,
  PermissionRequest,
  Runner,
  RunnerEnd,
  RunnerEvent,
  RunnerMessage,
  RunnerRequest,
} from "../../tasks/ports.ts";
import type { AgentProgress, NeededInput } from "../../tasks/kinds/agent/agent-progress.ts";
import type { AgentOutcome, AgentResult } from "../../tasks/kinds/agent/agent-result.ts";
import type { SentMessage } from "../../tasks/kinds/agent/inbox.ts";
import type { AgentLimits } from "../../tasks/kinds/agent/agent-settings.ts";
import { textsOf } from "../launch/content-parts.ts";
import { patient } from "./patient-events.ts";
import { promptDraft } from "../launch/prompt-entries.ts";
import { draftOf, ToldTexts } from "./query-entries.ts";
import { ProgressCounter, type MessagePrice } from "./progress-counter.ts";

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
  /** The runner cannot begin another run for what comes too late. */
  isOnce?: boolean;
}

/**
 * Drives a runner to its end. Every message is in the transcript before it is counted and before the runner goes on, so
 * whatever happens to this process, the transcript is what happened. Never throws: what went wrong is in the result.
 */
export async function driveRunner(
  runner: Runner,
  agent: HostedAgent,
  ports: AgentHostPorts,
  signal: AbortSignal,
): Promise<AgentResult> {
  return new RunnerDriver(agent, ports, signal).run(runner);
}

class RunnerDriver {
  #agent: HostedAgent;
  readonly #ports: AgentHostPorts;
  readonly #signal: AbortSignal;
  readonly #counter: ProgressCounter;
  readonly #startedAt: number;
  #told = new ToldTexts();
  #answer: { messageId: string; content: ContentPart[] } = { messageId: "", content: [] };
  #price: MessagePrice | undefined;
  #lastKind: RunnerEvent["kind"] | undefined;

  constructor(agent: HostedAgent, ports: AgentHostPorts, signal: AbortSignal) {
    this.#agent = agent;
    this.#ports = ports;
    this.#signal = signal;
    this.#startedAt = ports.clock.now().getTime();
    const { foreignSessionId } = agent.request;
    this.#counter = new ProgressCounter();
    this.#counter.set("foreignSessionId", foreignSessionId);
  }

  async run(runner: Runner): Promise<AgentResult> {
    let outcome: AgentOutcome;
    try {
      if (this.#agent.limits.maxCostUsd !== undefined) this.#price = await this.#ports.loadPrice();
      do outcome = await this.#drive(runner);
      while (outcome.status === "completed" && !this.#agent.isOnce && (await this.#isToldMore()));
    } catch (error) {
      outcome = this.#signal.aborted
        ? { status: "interrupted" }
        : { status: "failed", reason: "agent-error", error: messageOf(error) };
    }
    return this.#result(outcome);
  }

  // What came too late for the runner, or to one that never asks, is said to the agent in another run.
  async #isToldMore(): Promise<boolean> {
    let texts: string[];
    // Whoever was told that his message is there must be heard: none may come behind the last look.
    do texts = await this.#takeMessages();
    while (texts.length === 0 && this.#ports.closeMessages?.() === false);
    if (texts.length === 0) return false;
    this.#told = new ToldTexts();
    const { foreignSessionId } = this.#progress();
    const messages = await this.#ports.readConversation();
    const request = { ...this.#agent.request, messages, prompt: texts.join("\n\n") };
    this.#agent = {
      ...this.#agent,
      request: { ...request, ...(foreignSessionId !== undefined && { foreignSessionId }) },
    };
    return true;
  }

  async #drive(runner: Runner): Promise<AgentOutcome> {
    // A limit ends the runner by the same signal as a stop.
    const ending = new AbortController();
    const signal = AbortSignal.any([this.#signal, ending.signal]);
    const events = patient(runner(this.#runnerRequest(), signal), signal);
    try {
      for (;;) {
        const limit = this.#reachedLimit();
        if (limit) return limit;
        const next = await events.next();
        if (next === undefined) return { status: "interrupted" };
        if (next.done) return this.#signal.aborted ? { status: "interrupted" } : outcomeOf(next.value);
        await this.#take(next.value);
      }
    } finally {
      ending.abort();
      await events.close();
    }
  }

  #runnerRequest(): RunnerRequest {
    return {
      ...this.#agent.request,
      askPermission: (request, signal) =>
        this.#ports.askPermission(request, {
          signal,
          onNeeded: (needed) => {
            this.#counter.set("needsInput", needed);
            this.#tell({ isAwaited: true });
          },
        }),
      takeMessages: () => this.#takeMessages(),
    };
  }

  async #takeMessages(): Promise<string[]> {
    const texts: string[] = [];
    for (const message of await this.#ports.readMessages()) {
      await this.#ports.append({ ...(message.draft ?? promptDraft(message.text)), uuid: message.id });
      this.#ports.forgetMessage(message);
      this.#told.add(message.text);
      texts.push(message.text);
    }
    return texts;
  }

  async #take(event: RunnerEvent): Promise<void> {
    if (event.kind === "delta") return this.#ports.onEvent?.(event);
    if (event.kind === "assistant" || event.kind === "user") {
      if (this.#told.isRepeated(event)) return;
      await this.#ports.append(draftOf(event));
      if (event.kind === "assistant") this.#noteAnswer(event.message);
    }
    this.#lastKind = event.kind;
    this.#counter.count(event, this.#now());
    this.#ports.onEvent?.(event);
    this.#tell({ isAwaited: false });
  }

  #noteAnswer({ id, content }: { id: string; content: ContentPart[] }): void {
    const texts = content.filter((part) => part.type === "text" && textsOf([part]).length > 0);
    if (texts.length === 0) return;
    const isSame = this.#answer.messageId === id;
    this.#answer = { messageId: id, content: isSame ? [...this.#answer.content, ...texts] : texts };
  }

  // Asked where the agent would begin another turn: a tool use is never left without its result, and an answer that is
  // given is never thrown away. One that goes on by itself is ended by its next turn.
  #reachedLimit(): AgentOutcome | undefined {
    const { maxTurns = Infinity, maxTokens = Infinity, maxCostUsd = Infinity } = this.#agent.limits;
    const isLimited = Math.min(maxTurns, maxTokens, maxCostUsd) < Infinity;
    if (!isLimited || this.#counter.openToolUses > 0) return undefined;
    const { turns, tokens, costUsd = 0 } = this.#progress();
    const isBetweenTurns = this.#lastKind === "user";
    if (turns > maxTurns || (turns >= maxTurns && isBetweenTurns)) {
      return { status: "failed", reason: "turns", error: `it took ${maxTurns} turns, as many as it may` };
    }
    if (!isBetweenTurns) return undefined;
    if (tokens >= maxTokens) {
      const error = `it used ${tokens} tokens, more than the ${maxTokens} that it may`;
      return { status: "failed", reason: "tokens", error };
    }
    if (costUsd >= maxCostUsd) {
      const error = `it cost $${costUsd.toFixed(4)}, more than the $${maxCostUsd} that it may`;
      return { status: "failed", reason: "cost", error };
    }
    return undefined;
  }

  // At the time when it is asked for, which may be later than what it tells of.
  readonly #progress = (): AgentProgress => this.#counter.progress({ at: this.#now(), price: this.#price });

  #tell(options: { isAwaited: boolean }): void {
    this.#ports.onProgress(this.#progress, options);
  }

  async #result(outcome: AgentOutcome): Promise<AgentResult> {
    this.#counter.set("needsInput", undefined);
    // Without prices the answer is still worth everything.
    this.#price ??= await this.#ports.loadPrice().catch(() => undefined);
    const progress = this.#progress();
    this.#ports.onProgress(() => progress, { isAwaited: false });
    return {
      schemaVersion: 1,
      agentId: this.#agent.agentId,
      outcome,
      content: this.#answer.content,
      totalDurationMs: this.#ports.clock.now().getTime() - this.#startedAt,
      totalTokens: progress.tokens,
      totalToolUseCount: progress.toolUses,
      usage: progress.usage,
      ...(progress.costUsd !== undefined && { costUsd: progress.costUsd }),
    };
  }

  #now(): string {
    return this.#ports.clock.now().toISOString();
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
