import { uuidOf } from "../../format/entry-kinds.ts";
import { randomUUID } from "node:crypto";
import type { Entry } from "../../format/entries/entry.ts";
import type { EntryDraft } from "../../store/index.ts";
import type {
  AgentTasks,
  AssistantEvent,
  PermissionRequest,
  Runner,
  RunnerEvent,
  RunnerRequest,
  UserEvent,
} from "../../tasks/ports.ts";
import { QueryEntries } from "../host/query-entries.ts";
import type { ThreadEvent } from "../../doors/cli/chat/state/reduce-chat.ts";
import { endedBy, runInFront, type EndedQuery, type QueryEnd, type QueryEvents } from "./run-in-front.ts";
import type { ChatSession } from "./chat-session.ts";
import { interruptedDraft, noticeDraft, promptDraft, withOrigin } from "./entry-drafts.ts";
import type { PermissionGate } from "./permission-gate.ts";
import { endNotice } from "./end-notice.ts";
import { newRun, type RunningThread } from "./running-thread.ts";

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

export type ThreadAttendant = Pick<RunnerRequest, "askPermission" | "takeMessages">;

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
  /** Notices that the agent has not been told of. */
  #unsaid: string[] = [];
  #running: RunningThread | undefined;
  #foreignSessionId: string | undefined;
  /** Said in the background, and not in the session's transcript yet. */
  #missed: (AssistantEvent | UserEvent)[] = [];
  /** Said to an agent in the background, and not told yet to whoever runs it. */
  #told: UserEvent[] = [];
  /** What others say to it. */
  #sent: () => Promise<string[]> = async () => [];
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

  /**
   * Tells it of the ending of a task: at once if the conversation waits for that (`wake`), to the query that runs at its
   * next turn, else with what is said next. A conversation does not begin with it.
   */
  async notice(text: string, { wake }: { wake: boolean }): Promise<void> {
    if (this.#running) return void this.#unsaid.push(text);
    if (wake) return this.#ask(text, noticeDraft(text));
    if (this.session.isBegun) return this.#showEntry(await this.session.append(noticeDraft(text)));
    this.#unsaid.push(text);
    this.#showEntry({ ...noticeDraft(text), uuid: randomUUID() } as Entry);
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
    await ended;
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

  /** Who else answers its questions and says something to it, now that it is a task. */
  attend({ askPermission, takeMessages }: ThreadAttendant): void {
    this.#ports.gate.alsoAsk(askPermission);
    this.#sent = takeMessages;
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
      // Behind it: what a conversation is known by is its first prompt.
      for (const notice of this.#unsaid.splice(0)) await this.session.append(noticeDraft(notice));
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

  async #request(prompt: string): Promise<RunnerRequest> {
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

  // A message is in the transcript as soon as it is taken; an agent that repeats it says nothing new.
  async #takeMessages(): Promise<string[]> {
    const typed = this.#takeQueue();
    const others = async (): Promise<string[]> => [
      ...this.#unsaid.splice(0),
      ...(await this.#ports.takeNotices()),
      ...(await this.#sent()),
    ];
    const texts = typed.length > 0 ? typed : await others();
    for (const text of texts) {
      this.#entries.told(text);
      if (this.isInBackground) this.#told.push({ kind: "user", message: { role: "user", content: text } });
      else
        this.#showEntry(
          await this.session.append(typed.length > 0 ? promptDraft(text, "queued") : noticeDraft(text)),
        );
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
        return this.#record(event);
      case "user":
        return this.#entries.isRepeated(event) ? undefined : this.#record(event);
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
    if (this.#isInFront) return this.#showEntry(await this.#append(event));
    this.#missed.push(event);
    this.#showEntry({ ...this.#entries.draftOf(event), uuid: randomUUID() } as Entry);
  }

  async #append(event: AssistantEvent | UserEvent): Promise<Entry> {
    const entry = await this.session.append(withOrigin(this.#entries.draftOf(event)));
    this.#entries.recorded(event, uuidOf(entry) ?? "");
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
        for (let told = this.#told.shift(); told; told = this.#told.shift()) {
          yield told;
          await this.#record(told);
        }
        if (next.done) {
          end = running.abort.signal.aborted ? end : { kind: "done", reason: next.value.reason };
          return next.value;
        }
        if (next.value.kind === "user" && this.#entries.isRepeated(next.value)) continue;
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
    const running = this.#running;
    this.#running = undefined;
    try {
      if (end.kind === "interrupted" && this.#isInFront && this.session.isBegun)
        this.#showEntry(await this.session.append(interruptedDraft()));
    } finally {
      const notice = endNotice(end);
      this.#ports.show({ kind: "query-ended", ...(notice && { notice }) });
      running?.end();
    }
    if (!this.#isInFront) return;
    const texts = end.kind === "done" ? this.#takeQueue() : [];
    if (texts.length > 0) await this.say(texts.join("\n\n"));
    else this.#ports.onIdle();
  }
}
