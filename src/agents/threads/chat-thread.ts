import { randomUUID } from "node:crypto";
import type { Entry } from "../../format/entries/entry.ts";
import { systemClock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { EntryDraft } from "../../store/index.ts";
import type { AgentProgress } from "../../tasks/kinds/agent/agent-progress.ts";
import type { AgentOutcome, AgentResult } from "../../tasks/kinds/agent/agent-result.ts";
import type { AgentLimits } from "../../tasks/kinds/agent/agent-settings.ts";
import type { AgentTasks, AssistantEvent, Runner } from "../../tasks/ports.ts";
import { driveRunner, type AgentHostPorts, type HeardMessage } from "../host/drive-runner.ts";
import type { MessagePrice } from "../host/progress-counter.ts";
import { sessionCompanions } from "../host/session-companions.ts";
import type { PermissionJudge } from "../host/permission-judge.ts";
import type { ChatSession } from "./chat-session.ts";
import { interruptedDraft, noticeDraft, promptDraft, withOrigin } from "./entry-drafts.ts";
import type { PermissionGate } from "./permission-gate.ts";
import type { ThreadEvent } from "./thread-event.ts";
import { ThreadRecord } from "./thread-record.ts";

/** What a conversation needs from the place where it is held. */
export interface ThreadPorts {
  runner: Runner;
  cwd: string;
  /** Where to-dos and long outputs are kept. */
  configDir: string;
  env: Readonly<Record<string, string | undefined>>;
  model?: string | undefined;
  /** Of each query; none by default. */
  limits?: AgentLimits | undefined;
  tasks: AgentTasks;
  judge: PermissionJudge;
  gate: PermissionGate;
  /** What messages cost; nothing is known of it when absent. */
  loadPrice?: (() => Promise<MessagePrice>) | undefined;
  show(event: ThreadEvent): void;
  /** News of background tasks, for an agent that works right now. */
  takeNotices(): Promise<News[]>;
  /** The query has ended and nothing else was typed meanwhile. */
  onIdle(): void;
}

/** The ending of a task, for a conversation. */
export interface News {
  text: string;
  /** Called once the conversation has recorded it. If this process dies before, the next reader is told. */
  told(): void;
}

/** A query that goes on in the background, as whoever makes a task of it gets it. It waits until one of the two is called. */
export interface HandedOverQuery {
  abort: AbortController;
  /** It goes on as a task, which has these ports. */
  goOn: (ports: AgentHostPorts) => Promise<AgentResult>;
  /** No task came of it: it ends in front. Does nothing once it goes on. */
  giveUp: () => Promise<void>;
}

interface RunningQuery {
  abort: AbortController;
  hosted: Promise<AgentResult>;
  /** Resolves when it has ended and everything is written. */
  ended: Promise<AgentOutcome>;
  /** Called when it leaves the foreground. */
  leave: () => void;
  isHandedOver: boolean;
  /** Those of its task. */
  task?: AgentHostPorts;
}

/**
 * One conversation: what is said in it, and the query that runs, by the same host as every agent. While it is in front, its
 * session's own transcript gets everything; what a query in the background says goes only to its task's transcript, and is
 * added when it comes back.
 */
export class ChatThread {
  readonly session: ChatSession;
  readonly #ports: ThreadPorts;
  readonly #record: ThreadRecord;
  #queued: string[] = [];
  /** Notices that the agent has not been told of. */
  #unsaid: News[] = [];
  /** News that the agent hears now, by the ids of its messages. */
  readonly #heard = new Map<string, News>();
  #running: RunningQuery | undefined;
  #lastEnded: Promise<unknown> | undefined;
  #readProgress: (() => AgentProgress) | undefined;
  #foreignSessionId: string | undefined;
  #costUsd = 0;

  constructor(session: ChatSession, ports: ThreadPorts) {
    this.session = session;
    this.#ports = ports;
    this.#record = new ThreadRecord(session, (entry) => ports.show({ kind: "entry", entry }));
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  get isInBackground(): boolean {
    return this.#running?.isHandedOver === true;
  }

  /** A question of it waits for an answer. */
  get isAsking(): boolean {
    return this.#ports.gate.isAsking;
  }

  /** Says something: at once, or to the query that runs, at its next turn. Resolves when that has ended or left the front. */
  async say(text: string): Promise<void> {
    if (this.#running) {
      this.#queued.push(text);
      return this.#ports.show({ kind: "queued", text });
    }
    // What was typed behind a query that failed is said together with what is said next.
    const all = [...this.#takeQueue(), text].join("\n\n");
    await this.#ask(all, promptDraft(all, "typed"));
  }

  /**
   * Tells it of the ending of a task: at once if the conversation waits for that (`wake`), to the query that runs at its
   * next turn, else with what is said next. A conversation does not begin with it.
   */
  async notice(news: News, { wake }: { wake: boolean }): Promise<void> {
    const { text } = news;
    if (this.#running) return void this.#unsaid.push(news);
    await this.settle();
    if (this.#running) return void this.#unsaid.push(news);
    if (wake) return this.#ask(text, noticeDraft(text), news);
    if (this.session.isBegun) {
      await this.#record.append(noticeDraft(text));
      return news.told();
    }
    this.#unsaid.push(news);
    this.#ports.show({ kind: "entry", entry: { ...noticeDraft(text), uuid: randomUUID() } as Entry });
  }

  interrupt(): void {
    this.#ports.show({ kind: "ending" });
    this.#running?.abort.abort();
  }

  /** Interrupts what runs, and waits until it has ended and everything is written. */
  async stop(): Promise<void> {
    if (!this.#running) return;
    const { ended } = this.#running;
    this.interrupt();
    // What went wrong at its end is told to whoever asked it.
    await ended.catch(() => {});
  }

  /** Resolves when the last query has ended and everything of it is written; what went wrong is told to who asked it. */
  async ended(): Promise<void> {
    await this.#lastEnded?.catch(() => {});
  }

  answer(toolUseId: string, answer: "yes" | "no" | "always"): void {
    this.#ports.gate.answer(toolUseId, answer);
  }

  /** Takes the running query out of the foreground. Undefined when it ended before that. */
  async handOver(): Promise<HandedOverQuery | undefined> {
    const running = this.#running;
    if (!running) return undefined;
    const release = await this.#record.hold();
    if (this.#running !== running || running.isHandedOver) {
      release();
      return undefined;
    }
    running.isHandedOver = true;
    this.#record.leaveFront();
    running.leave();
    return {
      abort: running.abort,
      goOn: (ports) => {
        running.task = ports;
        if (this.#running === running) this.#attach(ports);
        release();
        return running.hosted;
      },
      giveUp: async () => {
        if (running.task) return;
        const back = this.#record.comeToFront();
        release();
        await back;
        running.abort.abort();
        await running.ended.catch(() => {});
      },
    };
  }

  /** Out of sight again, without another hand-over. */
  leaveFront(): void {
    this.#record.leaveFront();
  }

  /** Back in front: what was said meanwhile becomes part of the session. */
  async comeToFront(): Promise<void> {
    await this.#record.comeToFront();
  }

  /** The session gets what is owed to it by queries that have ended; when it cannot be written, that waits. */
  async settle(): Promise<void> {
    if (this.#running || !this.session.isBegun) return;
    await this.#record.settle().catch(() => {});
  }

  #attach(task: AgentHostPorts): void {
    this.#record.attach((draft) => task.append(draft));
    this.#ports.gate.alsoAsk((request, options) => task.askPermission(request, options));
    if (this.#readProgress) task.onProgress(this.#readProgress, { isAwaited: false });
  }

  async #ask(prompt: string, draft: EntryDraft, asked?: News): Promise<void> {
    const abort = new AbortController();
    const hosted = this.#host({ prompt, draft, asked }, abort.signal);
    const ended = this.#untilEnded(hosted, abort.signal);
    this.#lastEnded = ended;
    let leave = (): void => {};
    const left = new Promise<void>((resolve) => (leave = resolve));
    this.#running = { abort, hosted, ended, leave, isHandedOver: false };
    const over = ended.then((outcome) => this.#goOn(outcome));
    // Nobody waits for a query that has left the front.
    void left.then(() => over.catch(() => {}));
    await Promise.race([over, left]);
  }

  async #host(
    { prompt, draft, asked }: { prompt: string; draft: EntryDraft; asked: News | undefined },
    signal: AbortSignal,
  ): Promise<AgentResult> {
    const { runner, cwd, env, model, tasks, judge } = this.#ports;
    if (this.session.isBegun) await this.#record.settle().catch(() => {});
    // Notices behind it: what a conversation is known by is its first prompt.
    const news = [...this.#unsaid];
    await this.#record.begin([draft, ...news.map(({ text }) => noticeDraft(text))]);
    this.#unsaid.splice(0, news.length);
    asked?.told();
    for (const each of news) each.told();
    this.#ports.show({ kind: "query-started", atMs: Date.now() });
    const request = {
      messages: await this.session.messages(),
      prompt,
      ...(this.#foreignSessionId !== undefined && { foreignSessionId: this.#foreignSessionId }),
      cwd,
      env,
      ...(model !== undefined && { model }),
      permission: judge.policy,
      whyDenied: judge.whyDenied,
      tasks,
    };
    const hosted = { agentId: this.session.id, request, limits: this.#ports.limits ?? {}, isOnce: true };
    return driveRunner(runner, hosted, this.#hostPorts(), signal);
  }

  // They lead to the session, and to the task once there is one.
  #hostPorts(): AgentHostPorts {
    const ports = this.#ports;
    const place = { configDir: ports.configDir, clock: systemClock };
    return {
      ...sessionCompanions(place, () => ({ sessionId: this.session.id })),
      append: (draft) => this.#record.append(withOrigin(draft)),
      onProgress: (read, options) => {
        this.#readProgress = read;
        this.#running?.task?.onProgress(read, options);
      },
      onEvent: (event) => {
        if (event.kind === "delta" || event.kind === "activity" || event.kind === "todos") ports.show(event);
        if (event.kind === "assistant") this.#showUsage(event.message);
      },
      onOutput: (output) => ports.show({ kind: "output", ...output }),
      askPermission: ports.gate.ask,
      readMessages: () => this.#readMessages(),
      forgetMessage: (message) => {
        this.#heard.get(message.id)?.told();
        this.#heard.delete(message.id);
        this.#running?.task?.forgetMessage(message);
      },
      readConversation: () => this.session.messages(),
      clock: systemClock,
      loadPrice: async () =>
        (await (ports.loadPrice?.() ?? this.#running?.task?.loadPrice())) ?? (() => undefined),
    };
  }

  #showUsage({ model, usage }: AssistantEvent["message"]): void {
    const counts = [
      usage.input_tokens,
      usage.cache_read_input_tokens,
      usage.cache_creation_input_tokens,
      usage.output_tokens,
    ];
    const contextTokens = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
    this.#ports.show({ kind: "usage", usage: { model, ...(contextTokens > 0 && { contextTokens }) } });
  }

  async #readMessages(): Promise<HeardMessage[]> {
    const heard = (texts: string[], draft: (text: string) => EntryDraft): HeardMessage[] =>
      texts.map((text) => ({ id: randomUUID(), text, draft: draft(text) }));
    const typed = this.#takeQueue();
    if (typed.length > 0) return heard(typed, (text) => promptDraft(text, "queued"));
    const news = [...this.#unsaid.splice(0), ...(await this.#ports.takeNotices())];
    const told = heard(
      news.map(({ text }) => text),
      noticeDraft,
    );
    for (const [index, { id }] of told.entries()) this.#heard.set(id, news[index]!);
    return [...told, ...((await this.#running?.task?.readMessages()) ?? [])];
  }

  #takeQueue(): string[] {
    const texts = this.#queued;
    this.#queued = [];
    if (texts.length > 0) this.#ports.show({ kind: "queue-taken" });
    return texts;
  }

  async #untilEnded(hosted: Promise<AgentResult>, signal: AbortSignal): Promise<AgentOutcome> {
    let outcome: AgentOutcome;
    try {
      const result = await hosted;
      outcome = result.outcome;
      if (result.costUsd !== undefined) {
        this.#costUsd += result.costUsd;
        this.#ports.show({ kind: "usage", usage: { costUsd: this.#costUsd } });
      }
    } catch (error) {
      outcome = signal.aborted
        ? { status: "interrupted" }
        : { status: "failed", reason: "agent-error", error: messageOf(error) };
    }
    this.#foreignSessionId = this.#readProgress?.().foreignSessionId ?? this.#foreignSessionId;
    this.#readProgress = this.#running = undefined;
    this.#record.attach(undefined);
    this.#ports.gate.alsoAsk(undefined);
    // What it said is in the task's transcript, too, and waits there if it cannot be written here.
    if (!this.#record.isInFront) await this.#record.comeToSession().catch(() => {});
    try {
      if (outcome.status === "interrupted" && this.#record.isInFront && this.session.isBegun)
        await this.#record.append(interruptedDraft());
    } finally {
      const notice = endNotice(outcome);
      this.#ports.show({ kind: "query-ended", ...(notice && { notice }) });
    }
    return outcome;
  }

  // What was typed behind it is the next query.
  async #goOn(outcome: AgentOutcome): Promise<void> {
    if (!this.#record.isInFront) return;
    const isBroken = outcome.status === "interrupted" || endedByError(outcome);
    const texts = isBroken ? [] : this.#takeQueue();
    if (texts.length > 0) await this.say(texts.join("\n\n"));
    else this.#ports.onIdle();
  }
}

// What is said of a query that ended otherwise than with an answer; of an interruption the transcript tells.
function endNotice(outcome: AgentOutcome): { text: string; isError: boolean } | undefined {
  if (outcome.status !== "failed") return undefined;
  return { text: endedByError(outcome) ? outcome.error : `The agent ended: ${outcome.error}`, isError: true };
}

function endedByError(outcome: AgentOutcome): boolean {
  return outcome.status === "failed" && outcome.reason === "agent-error";
}
