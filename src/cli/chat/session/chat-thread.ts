import { randomUUID } from "node:crypto";
import type { Entry } from "../../../format/entries/entry.ts";
import { parseTaskNotification } from "../../../format/task-notification.ts";
import type { EntryDraft } from "../../../store/index.ts";
import type {
  AgentTasks,
  AssistantEvent,
  PermissionRequest,
  Runner,
  RunnerEnd,
  RunnerEvent,
  UserEvent,
} from "../../../tasks/ports.ts";
import type { ThreadEvent } from "../state/reduce-chat.ts";
import { endedBy, runInFront, type EndedQuery, type QueryEnd, type QueryEvents } from "./run-in-front.ts";
import type { ChatSession } from "./chat-session.ts";
import type { PermissionGate } from "./permission-gate.ts";
import { QueryEntries } from "./query-entries.ts";

/** What a conversation needs from the chat around it. */
export interface ThreadPorts {
  runner: Runner;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  model?: string | undefined;
  tasks: AgentTasks;
  gate: PermissionGate;
  show(event: ThreadEvent): void;
  /** News of background tasks, for an agent that works right now. */
  takeNotices(): Promise<string[]>;
  /** The query has ended and nothing else was typed meanwhile. */
  onIdle(): void;
}

/** A query that goes on in the background, as whoever runs it there gets it. */
export interface HandedOverQuery {
  prompt: string;
  events: QueryEvents;
  abort: AbortController;
}

/**
 * One conversation: what is said in it, and the query that runs. While it is in front, its session's own transcript gets
 * everything; what a query in the background says goes only to its task's transcript, and is added when it comes back.
 */
export class ChatThread {
  readonly session: ChatSession;
  readonly #ports: ThreadPorts;
  #entries = new QueryEntries();
  #queued: string[] = [];
  #running: RunningThread | undefined;
  #foreignSessionId: string | undefined;
  /** Said in the background, and not in the session's transcript yet. */
  #missed: (AssistantEvent | UserEvent)[] = [];
  #isInFront = true;

  constructor(session: ChatSession, ports: ThreadPorts) {
    this.session = session;
    this.#ports = ports;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  get isInBackground(): boolean {
    return this.#running?.isHandedOver === true;
  }

  /** Says something: at once, or to the query that runs, at its next turn. */
  async say(text: string): Promise<void> {
    if (this.#running) {
      this.#queued.push(text);
      return this.#ports.show({ kind: "queued", text });
    }
    // What was typed behind a query that failed is said together with what is said next.
    const all = [...this.#takeQueue(), text].join("\n\n");
    await this.#ask(all, promptDraft(all, "typed"));
  }

  /** Tells it of the ending of a task. With `wake` the agent is asked at once what to make of it. */
  async notice(text: string, { wake }: { wake: boolean }): Promise<void> {
    if (wake) await this.#ask(text, noticeDraft(text));
    else this.#showEntry(await this.session.append(noticeDraft(text)));
  }

  interrupt(): void {
    this.#ports.show({ kind: "ending" });
    this.#running?.abort.abort();
  }

  answer(toolUseId: string, answer: "yes" | "no" | "always"): void {
    this.#ports.gate.answer(toolUseId, answer);
  }

  /** Takes the running query out of the foreground. Undefined when it ended before that. */
  async handOver(): Promise<HandedOverQuery | undefined> {
    const running = this.#running;
    if (!running || running.isHandedOver) return undefined;
    running.handOver.abort();
    const rest = await running.left;
    if (!rest) return undefined;
    running.isHandedOver = true;
    this.#isInFront = false;
    return { prompt: running.prompt, events: this.#tapped(rest, running), abort: running.abort };
  }

  /** Out of sight again, without another hand-over. */
  leaveFront(): void {
    this.#isInFront = false;
  }

  /** Back in front: what was said meanwhile becomes part of the session. */
  async comeToFront(): Promise<void> {
    for (let event = this.#missed.shift(); event; event = this.#missed.shift()) await this.#append(event);
    this.#isInFront = true;
  }

  async #ask(prompt: string, draft: EntryDraft): Promise<void> {
    const running = newRun(prompt);
    this.#running = running;
    this.#entries = new QueryEntries();
    const { signal } = running.abort;
    let end: QueryEnd;
    try {
      this.#showEntry(await this.session.append(draft));
      this.#ports.show({ kind: "query-started", atMs: Date.now() });
      const events = this.#ports.runner(await this.#request(prompt), signal);
      end = await runInFront(events, (event) => this.#take(event), {
        signal,
        handOver: running.handOver.signal,
      });
    } catch (error) {
      end = endedBy(error, signal);
    }
    running.leave(end.kind === "handed-over" ? end.rest : undefined);
    if (end.kind !== "handed-over") await this.#end(end);
  }

  async #request(prompt: string): Promise<Parameters<Runner>[0]> {
    const { cwd, env, model, tasks, gate } = this.#ports;
    return {
      messages: await this.session.messages(),
      prompt,
      ...(this.#foreignSessionId !== undefined && { foreignSessionId: this.#foreignSessionId }),
      cwd,
      env,
      ...(model !== undefined && { model }),
      askPermission: (request: PermissionRequest, signal: AbortSignal) => gate.ask(request, signal),
      takeMessages: () => this.#takeMessages(),
      tasks,
    };
  }

  // In the foreground a message is recorded as soon as it is taken, and its repetition by the agent is none.
  async #takeMessages(): Promise<string[]> {
    const typed = this.#takeQueue();
    const texts = typed.length > 0 ? typed : await this.#ports.takeNotices();
    if (this.isInBackground) return texts;
    for (const text of texts) {
      this.#entries.told(text);
      const draft = typed.length > 0 ? promptDraft(text, "queued") : noticeDraft(text);
      this.#showEntry(await this.session.append(draft));
    }
    return texts;
  }

  #takeQueue(): string[] {
    const texts = this.#queued;
    this.#queued = [];
    if (texts.length > 0) this.#ports.show({ kind: "queue-taken" });
    return texts;
  }

  async #take(event: RunnerEvent): Promise<void> {
    switch (event.kind) {
      case "assistant":
      case "user":
        return this.#record(event);
      case "session":
        this.#foreignSessionId = event.foreignSessionId;
        return;
      case "delta":
      case "activity":
      case "todos":
        return this.#ports.show(event);
      case "usage":
        return;
    }
  }

  async #record(event: AssistantEvent | UserEvent): Promise<void> {
    if (this.#entries.isRepeated(event)) return;
    if (this.#isInFront) return this.#showEntry(await this.#append(event));
    this.#missed.push(event);
    this.#showEntry({ ...this.#entries.draftOf(event), uuid: randomUUID() });
  }

  async #append(event: AssistantEvent | UserEvent): Promise<Entry> {
    const entry = await this.session.append(withOrigin(this.#entries.draftOf(event)));
    this.#entries.recorded(event, (entry as { uuid?: string }).uuid ?? "");
    return entry;
  }

  #showEntry(entry: Entry): void {
    this.#ports.show({ kind: "entry", entry });
  }

  // Asked for the next event, whoever runs the query has recorded the last one: then it is shown here, too.
  async *#tapped(rest: QueryEvents, running: RunningThread): QueryEvents {
    let end: EndedQuery = { kind: "interrupted" };
    try {
      for (;;) {
        const next = await rest.next();
        if (next.done) {
          end = running.abort.signal.aborted ? end : { kind: "done", reason: next.value.reason };
          return next.value;
        }
        yield next.value;
        await this.#take(next.value);
      }
    } catch (error) {
      end = endedBy(error, running.abort.signal);
      throw error;
    } finally {
      await rest.return({ reason: "done" });
      await this.#end(end);
    }
  }

  async #end(end: EndedQuery): Promise<void> {
    this.#running = undefined;
    if (end.kind === "interrupted" && this.#isInFront && this.session.isBegun)
      this.#showEntry(await this.session.append(interruptedDraft()));
    const notice = noticeOf(end);
    this.#ports.show({ kind: "query-ended", ...(notice && { notice }) });
    if (!this.#isInFront) return;
    const texts = end.kind === "done" ? this.#takeQueue() : [];
    if (texts.length > 0) await this.say(texts.join("\n\n"));
    else this.#ports.onIdle();
  }
}

interface RunningThread {
  prompt: string;
  abort: AbortController;
  /** Aborted to take it out of the foreground. */
  handOver: AbortController;
  /** Once it has left the foreground: the rest of it, when it was handed over. */
  left: Promise<QueryEvents | undefined>;
  leave: (rest: QueryEvents | undefined) => void;
  isHandedOver: boolean;
}

function newRun(prompt: string): RunningThread {
  let leave: RunningThread["leave"] = () => {};
  const left = new Promise<QueryEvents | undefined>((resolve) => (leave = resolve));
  const [abort, handOver] = [new AbortController(), new AbortController()];
  return { prompt, abort, handOver, left, leave, isHandedOver: false };
}

function promptDraft(text: string, promptSource: "typed" | "queued"): EntryDraft {
  return { type: "user", message: { role: "user", content: text }, promptSource };
}

function noticeDraft(text: string): EntryDraft {
  return { type: "user", message: { role: "user", content: text }, ...noticeOrigin };
}

const noticeOrigin = { origin: { kind: "task-notification" }, promptSource: "system" };

// An agent repeats a notice as something that it was told; who said it stays known.
function withOrigin(draft: EntryDraft): EntryDraft {
  const content = (draft["message"] as { content?: unknown } | undefined)?.content;
  const isNotice = draft.type === "user" && typeof content === "string" && parseTaskNotification(content);
  return isNotice ? { ...draft, ...noticeOrigin } : draft;
}

// As the client notes it, so that both know it for what it is.
function interruptedDraft(): EntryDraft {
  const content = [{ type: "text", text: "[Request interrupted by user]" }];
  return { type: "user", message: { role: "user", content } };
}

const endReasons: Readonly<Record<RunnerEnd["reason"], string | undefined>> = {
  done: undefined,
  max_turns: "The agent took as many turns as it may",
  max_tokens: "The answer was cut off at the model's limit",
  refusal: "The model refused",
};

function noticeOf(end: EndedQuery): { text: string; isError: boolean } | undefined {
  if (end.kind === "failed") return { text: end.message, isError: true };
  const text = end.kind === "done" ? endReasons[end.reason] : undefined;
  return text === undefined ? undefined : { text, isError: true };
}
