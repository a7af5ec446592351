import { ownedTasks } from "../host/agent-tasks.ts";
import type { MainSession } from "../main-session/main-session.ts";
import { promptPreviewLengthMax } from "../../format/limits.ts";
import { cutText, oneLine } from "../../format/short-text.ts";
import type { ConversationItem } from "../../conversation/conversation-item.ts";
import type { ChatStore } from "../../doors/cli/chat/chat-store.ts";
import type { ChatWorld } from "../../doors/cli/chat/chat-world.ts";
import { openChatSession } from "./chat-session.ts";
import { ChatThread } from "./chat-thread.ts";
import { PermissionGate } from "./permission-gate.ts";
import { emptyThread } from "../../doors/cli/chat/state/chat-state.ts";

interface OpenThread {
  id: string;
  thread: ChatThread;
  /** What it was last asked. */
  prompt: string;
  /** Once it was in the background. */
  main?: MainSession;
}

/** A conversation that is not in front. */
export interface BackgroundQuery {
  main: MainSession;
  prompt: string;
  isRunning: boolean;
  needsInput: boolean;
}

export interface OpenThreadsPorts {
  /** News for the agent of this session, which works right now. */
  takeNotices(sessionId: string): Promise<string[]>;
  /** Nothing runs in the conversation that is in front. */
  onIdle(): void;
  /** Something is new about the queries in the background: one ended, or asks. */
  onChanged(): void;
}

/**
 * The conversations of one chat: one is in front, of the others a query runs in the background, or ended there and was
 * not looked at yet.
 *
 * I1  Exactly one is in front, also while another one is being brought there.
 * I2  A query in the background never writes to the transcript of a session that somebody talks in.
 */
export class OpenThreads {
  readonly #chat: ChatStore;
  readonly #world: ChatWorld;
  readonly #ports: OpenThreadsPorts;
  readonly #open = new Map<string, OpenThread>();
  #count = 0;
  #front!: OpenThread;

  constructor(chat: ChatStore, world: ChatWorld, ports: OpenThreadsPorts) {
    this.#chat = chat;
    this.#world = world;
    this.#ports = ports;
  }

  get front(): ChatThread {
    return this.#front.thread;
  }

  /** The sessions that it has open. */
  get sessionIds(): string[] {
    return [...this.#open.values()].map(({ thread }) => thread.session.id);
  }

  /** Whose news a notice is: a query in the background hears of what it started itself, everything else is for the front. */
  readerOf({ taskId, sessionId }: { taskId: string; sessionId?: string }): string {
    const isOwn = [...this.#open.values()].some(
      (each) => each !== this.#front && each.thread.isRunning && each.thread.session.id === sessionId,
    );
    return isOwn && sessionId !== undefined && !this.has(taskId) ? sessionId : this.front.session.id;
  }

  /**
   * A conversation comes to the front: a new one, or a session to go on with. The one that was there is closed, or goes to
   * the background if its query runs.
   */
  async begin(resumed?: { sessionId: string; items: readonly ConversationItem[] }): Promise<void> {
    const before = this.#front as OpenThread | undefined;
    if (before?.thread.isRunning) await this.#toBackground(before);
    this.#show(this.#add(resumed?.sessionId), resumed?.items);
    if (before && !before.thread.isRunning) await this.#close(before);
  }

  async say(text: string): Promise<void> {
    if (!this.front.isRunning) this.#front.prompt = text;
    await this.front.say(text);
  }

  /** The query in front goes on as a task, and a new conversation begins. Undefined when none runs any more. */
  async background(): Promise<MainSession | undefined> {
    const leaving = this.#front;
    const main = await this.#toBackground(leaving);
    if (main && this.#front === leaving) this.#show(this.#add());
    return main;
  }

  /** Whether this task is one of its queries. */
  has(taskId: string): boolean {
    return this.#find(taskId) !== undefined;
  }

  /** Brings a query back; what ran in front goes to the background. Returns the session that was left, if one was. */
  async foreground(taskId: string): Promise<string | undefined> {
    const coming = this.#find(taskId);
    if (!coming || coming === this.#front) return undefined;
    const leaving = this.#front;
    await this.#toBackground(leaving);
    if (coming.thread.isRunning) this.#world.agents.foregroundSession(taskId);
    await coming.thread.comeToFront();
    this.#front = coming;
    const { [coming.id]: shown } = this.#chat.state.threads;
    this.#chat.dispatch({ kind: "fronted", thread: shown ?? emptyThread(coming.id) });
    if (!coming.thread.isRunning) this.#ports.onIdle();
    if (leaving.thread.isRunning) return undefined;
    await this.#close(leaving);
    return leaving.thread.session.isBegun ? leaving.thread.session.id : undefined;
  }

  /** Forgets a query that ended in the background. */
  async drop(taskId: string): Promise<void> {
    const dropped = this.#find(taskId);
    if (!dropped || dropped === this.#front || dropped.thread.isRunning) return;
    await this.#close(dropped);
    this.#chat.dispatch({ kind: "dropped", thread: dropped.id });
  }

  /** Queries that are not in front: those that ended run no more, but there is an answer to see. */
  listBackground(): BackgroundQuery[] {
    const { threads } = this.#chat.state;
    return [...this.#open.values()].filter(isMain).flatMap((each) => {
      if (each === this.#front) return [];
      const { id, main, thread, prompt } = each;
      const needsInput = (threads[id]?.asked.length ?? 0) > 0;
      return [{ main, prompt, isRunning: thread.isRunning, needsInput }];
    });
  }

  /** The task of the conversation in front, if it is one. */
  get frontTaskId(): string | undefined {
    return this.#front.main?.task.record.id;
  }

  async closeAll(): Promise<void> {
    for (const each of this.#open.values()) await this.#close(each);
  }

  #find(taskId: string): (OpenThread & { main: MainSession }) | undefined {
    return [...this.#open.values()].filter(isMain).find(({ main }) => main.task.record.id === taskId);
  }

  async #toBackground(leaving: OpenThread): Promise<MainSession | undefined> {
    const { thread, prompt, main } = leaving;
    if (main && thread.isInBackground) {
      thread.leaveFront();
      main.setForeground(false);
      return main;
    }
    const query = await thread.handOver();
    if (!query) return undefined;
    const { agents, spec, model, cwd } = this.#world;
    try {
      const begun = await agents.backgroundSession({
        sessionId: thread.session.id,
        cwd,
        description: cutText(oneLine(prompt), promptPreviewLengthMax),
        messages: await thread.session.transcript(),
        query: query.events,
        abortController: query.abort,
        runner: spec,
        model,
      });
      thread.attend(begun);
      leaving.main = begun;
      const taskId = begun.task.record.id;
      this.#chat.dispatch({ kind: "thread", thread: leaving.id, change: { kind: "backgrounded", taskId } });
      const onEnd = (): void => this.#ports.onChanged();
      begun.result.then(onEnd, onEnd);
      return begun;
    } catch (error) {
      // Nobody runs it in the background, so it ends here, with what it still has to say.
      query.abort.abort();
      await thread.comeToFront();
      await drain(query.events);
      throw error;
    }
  }

  #show(next: OpenThread, items: readonly ConversationItem[] = []): void {
    this.#front = next;
    this.#chat.dispatch({ kind: "fronted", thread: { ...emptyThread(next.id), items } });
  }

  async #close({ id, thread }: OpenThread): Promise<void> {
    this.#open.delete(id);
    await thread.session.close();
  }

  #add(sessionId?: string): OpenThread {
    const { sessions, tasks, agents, runner, spec, cwd, env, model, permission, rules, userHome } =
      this.#world;
    const id = `thread-${++this.#count}`;
    const show: ChatThreadShow = (change) => this.#chat.dispatch({ kind: "thread", thread: id, change });
    const gate = new PermissionGate({
      policy: permission,
      rules,
      place: { cwd, userHome },
      onAsked: (request) => {
        show({ kind: "asked", request });
        this.#ports.onChanged();
      },
      onAnswered: (toolUseId) => show({ kind: "answered", toolUseId }),
    });
    const session = openChatSession(sessions, { cwd, ...(sessionId !== undefined && { sessionId }) });
    const thread = new ChatThread(session, {
      runner,
      cwd,
      env,
      model,
      gate,
      show,
      tasks: ownedTasks(
        { tasks, agents },
        {
          cwd,
          sessionId: session.id,
          runner: spec,
          permission,
          limits: {},
          ...(model !== undefined && { model }),
        },
      ),
      takeNotices: () => this.#ports.takeNotices(session.id),
      onIdle: () => this.#ports.onIdle(),
    });
    const opened: OpenThread = { id, thread, prompt: "" };
    this.#open.set(id, opened);
    return opened;
  }
}

async function drain(events: AsyncGenerator): Promise<void> {
  try {
    while (!(await events.next()).done);
  } catch {
    /* That it was aborted is known. */
  }
}

function isMain(thread: OpenThread): thread is OpenThread & { main: MainSession } {
  return thread.main !== undefined;
}

type ChatThreadShow = ConstructorParameters<typeof ChatThread>[1]["show"];
