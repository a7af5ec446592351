import { chatPromptLengthMax } from "./limits.ts";
import { parseTaskNotification } from "../../../format/task-notification.ts";
import { messageOf } from "../../../lib/errors.ts";
import type { SessionRef } from "../../../store/index.ts";
import type { Notice } from "../../../tasks/notices/notices.ts";
import { formatCount } from "../../../lib/quantities.ts";
import { lookAtTask } from "../conversation/look-at-task.ts";
import { isOldNews, oldNewsLine } from "./background/old-news.ts";
import { watchBackground } from "./background/watch-background.ts";
import type { ChatStore } from "./chat-store.ts";
import type { ChatWorld } from "./chat-world.ts";
import type { News } from "../../../agents/threads/chat-thread.ts";
import type { OpenThreads } from "../../../agents/threads/open-threads.ts";
import type { ThreadsEvent } from "../../../agents/threads/thread-event.ts";
import { boundYoungObjects } from "./bound-young-objects.ts";
import { ChatSettings } from "./chat-settings.ts";
import { openCompletions } from "./complete-word.ts";
import { costText } from "./cost-text.ts";
import { exportConversation } from "./export-conversation.ts";
import { editText } from "./external-editor.ts";
import { loadItems } from "./load-items.ts";
import { emptyThread, frontThread, type ChatTask, type Thread } from "./state/chat-state.ts";
import type { ChatIntent } from "./state/chat-intent.ts";
import { chatHelp, type SlashCommand } from "./state/slash-command.ts";
import { unfoldItem } from "./unfold-item.ts";

/** Sessions offered by `/resume`: as many as one looks through. */
const SESSIONS_OFFERED = 50;
/** A task that is looked at goes on. */
const LOOK_AGAIN_MS = 500;

/** Acts on what keys ask for, and tells the screen what comes of it. Decides nothing about how it looks. */
export class ChatController {
  readonly #chat: ChatStore;
  readonly #world: ChatWorld;
  #threads: OpenThreads | undefined;
  readonly #over = new AbortController();
  readonly #begunAt = new Date().toISOString();
  #running: readonly ChatTask[] = [];
  #watching: Promise<void> | undefined;
  #looking: NodeJS.Timeout | undefined;
  /** What is shown of sessions that are taken up again. */
  readonly #earlier = new Map<string, Pick<Thread, "items" | "usage">>();
  readonly #complete: ReturnType<typeof openCompletions>;
  /** Told to leave. */
  onExit: () => void = () => {};

  constructor(chat: ChatStore, world: ChatWorld) {
    this.#chat = chat;
    this.#world = world;
    this.#complete = openCompletions(world);
    chat.onIntent = (intent) => this.#do(this.#act(intent));
  }

  get #settings(): ChatSettings {
    return new ChatSettings(this.#chat, this.#world, this.threads);
  }

  /** There are some from `start` on. */
  get threads(): OpenThreads {
    return this.#threads!;
  }

  /** Begins with a new conversation, or goes on with a session. */
  async start(session?: SessionRef): Promise<void> {
    const { runtime, cwd } = this.#world;
    this.#threads = await runtime.threads.open(this.#world, {
      tell: (event) => this.#tell(event),
      takeNotices: (sessionId) => this.#takeNotices(sessionId),
      onIdle: () => {
        boundYoungObjects();
        this.#do(this.#tellNotices());
      },
      onChanged: () => this.#tellTasks(),
    });
    this.#settings.show();
    if (session) await this.#takeUp(session);
    else await this.threads.begin();
    this.#watching = watchBackground(runtime.tasks, {
      cwd,
      signal: this.#over.signal,
      onTasks: (running) => {
        this.#running = running;
        this.#tellTasks();
      },
      onEnded: () => this.#do(this.#tellNotices()),
    });
    this.#do(this.#watching);
    this.#do(this.#tellOldNews());
    this.#do(this.#tellNotices());
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    this.#over.abort();
    await this.#watching?.catch(() => {});
    await this.threads.closeAll();
  }

  async #takeUp(session: SessionRef): Promise<void> {
    const { sessionId } = session;
    this.#earlier.set(sessionId, await loadItems(this.#world.runtime.sessions, session));
    try {
      await this.threads.begin(sessionId);
    } finally {
      this.#earlier.delete(sessionId);
    }
  }

  #tell(event: ThreadsEvent): void {
    if (event.kind !== "fronted") return this.#chat.dispatch(event);
    const { thread: id, sessionId } = event;
    const thread = this.#chat.state.threads[id] ?? { ...emptyThread(id), ...this.#earlier.get(sessionId) };
    this.#chat.dispatch({ kind: "fronted", thread });
  }

  #do(work: Promise<void>): void {
    work.catch((error: unknown) => this.#say(messageOf(error), { isError: true }));
  }

  #say(text: string, { isError = false } = {}): void {
    this.#chat.dispatch({ kind: "printed", item: { kind: "notice", text, isError } });
  }

  async #act(intent: ChatIntent): Promise<void> {
    const { threads } = this;
    switch (intent.kind) {
      case "prompt":
        this.#do(this.#remember(intent.text));
        return threads.say(intent.text);
      case "command":
        return this.#command(intent.command);
      case "answer":
        return threads.front.answer(intent.toolUseId, intent.answer);
      case "interrupt":
        return threads.front.interrupt();
      case "background":
        return this.#background();
      case "look":
        return this.#look(intent.task);
      case "stop":
        return this.#stop(intent.task);
      case "answer-task":
        return this.#answerTask(intent.task, intent.answer);
      case "resume":
        return this.#resume(intent.sessionId);
      case "complete": {
        const choices = await this.#complete(intent.word);
        if (choices) this.#chat.dispatch({ kind: "completed", word: intent.word, choices });
        return;
      }
      case "unfold":
        return this.#unfold(intent.at);
      case "edit":
        return this.#editElsewhere();
      case "exit":
        return this.onExit();
      case "too-long":
        return this.#say(
          `A prompt can have ${formatCount(chatPromptLengthMax)} characters; put the text into a file and name the file`,
        );
    }
  }

  async #command(command: SlashCommand): Promise<void> {
    switch (command.name) {
      case "unknown": {
        const hint =
          command.near === undefined ? "/help lists the commands" : `did you mean /${command.near}?`;
        return this.#say(`There is no command /${command.typed}; ${hint}`);
      }
      case "help":
        return this.#answer(chatHelp());
      case "tasks":
        return this.#chat.dispatch({ kind: "overlay", overlay: { kind: "tasks", selected: 0 } });
      case "exit":
        return this.onExit();
      case "background":
        return command.argument === "" ? this.#background() : this.#askAside(command.argument);
      case "clear":
        return this.#whenIdle("clear", () => this.threads.begin());
      case "model":
        return this.#say(this.#settings.model(command.argument));
      case "permissions":
        return this.#say(await this.#settings.permissions(command.argument));
      case "cost":
        return this.#answer(await costText(this.#world.runtime, this.threads.front.session.id));
      case "export":
        return this.#export(command.argument);
      case "fork":
        return this.#whenIdle("fork", () => this.#fork());
      case "resume":
        if (command.argument !== "" && this.threads.taskOfSession(command.argument) !== undefined)
          return this.#resume(command.argument);
        return this.#whenIdle("resume", () =>
          command.argument === "" ? this.#offerSessions() : this.#resume(command.argument),
        );
    }
  }

  #answer(text: string): void {
    this.#chat.dispatch({ kind: "printed", item: { kind: "answer", text } });
  }

  async #export(name: string): Promise<void> {
    const { runtime, cwd } = this.#world;
    const { id: sessionId, isBegun } = this.threads.front.session;
    if (!isBegun) return this.#say("There is nothing to export yet");
    this.#say(await exportConversation(runtime, { sessionId, cwd, name }));
  }

  #unfold(at: number): void {
    const { items, dropped } = frontThread(this.#chat.state);
    const unfolded = unfoldItem(items[at - dropped], { columns: process.stdout.columns });
    if (!unfolded) return;
    this.#chat.dispatch({ kind: "overlay", overlay: { kind: "result", at, top: 0, ...unfolded } });
  }

  async #editElsewhere(): Promise<void> {
    const { text } = this.#chat.state.editor;
    let edited: string | undefined;
    await this.#chat.aside(async () => void (edited = await editText(text, this.#world)));
    if (edited === undefined)
      return this.#say("The editor failed; the prompt is unchanged", { isError: true });
    if (edited.length > chatPromptLengthMax) return this.#act({ kind: "too-long" });
    this.#chat.dispatch({ kind: "edited", text: edited });
  }

  async #whenIdle(name: string, act: () => Promise<void>): Promise<void> {
    if (!this.threads.front.isRunning) return act();
    this.#say(`A query runs: interrupt it (Ctrl+C) or background it (Ctrl+B twice), then /${name} again`);
  }

  async #background(): Promise<void> {
    const main = await this.threads.background();
    if (!main) return this.#say("No query is running");
    const { id, description } = main.task.record;
    this.#say(`${id} goes on in the background: ${description}. /tasks brings it back`);
    this.#tellTasks();
  }

  async #askAside(prompt: string): Promise<void> {
    this.#do(this.#remember(prompt));
    const task = await this.threads.askAside(prompt);
    if (!task) return this.#say("Nothing was said here yet: ask it in front");
    this.#say(`${task.record.id} is asked in the background; its answer will be added to this conversation`);
  }

  async #bringToFront(taskId: string): Promise<void> {
    const left = await this.threads.foreground(taskId);
    if (left !== undefined) this.#say(`The conversation before this one: /resume ${left.slice(0, 8)}`);
    this.#tellTasks();
  }

  async #look(task: ChatTask): Promise<void> {
    if (this.threads.has(task.id)) return this.#bringToFront(task.id);
    const { runtime } = this.#world;
    const selected = this.#chat.state.tasks.findIndex(({ id }) => id === task.id);
    const show = async (): Promise<void> => {
      const lines = await lookAtTask(runtime, await runtime.tasks.find(task.id), {
        columns: process.stdout.columns,
      });
      // It may have begun to ask, or have been answered, since.
      const now = this.#running.find(({ id }) => id === task.id) ?? task;
      this.#chat.dispatch({ kind: "overlay", overlay: { kind: "look", task: now, lines, selected } });
    };
    await show();
    clearInterval(this.#looking);
    this.#looking = setInterval(() => {
      if (this.#chat.state.overlay?.kind === "look") this.#do(show());
      else clearInterval(this.#looking);
    }, LOOK_AGAIN_MS);
  }

  async #stop(task: ChatTask): Promise<void> {
    const { runtime, userName } = this.#world;
    const { tasks } = runtime;
    const found = await tasks.find(task.id);
    if ("endedAt" in found.state) await this.threads.drop(task.id);
    else await tasks.stop(found, { by: userName });
    this.#chat.dispatch({ kind: "overlay", overlay: { kind: "tasks", selected: 0 } });
    this.#tellTasks();
  }

  async #answerTask({ id, question }: ChatTask, answer: "yes" | "no" | "always"): Promise<void> {
    if (!question) return;
    const { requestId } = question;
    await this.threads.answerTask(id, { requestId, answer, by: this.#world.userName });
    this.#chat.dispatch({ kind: "overlay", overlay: { kind: "tasks", selected: 0 } });
  }

  async #offerSessions(): Promise<void> {
    const { runtime, cwd } = this.#world;
    const found = await runtime.sessions.list({ cwd, limit: SESSIONS_OFFERED });
    const choices = found.map(({ sessionId: id, title, firstPrompt, updatedAt }) => ({
      id,
      title: title ?? firstPrompt ?? "(no prompt)",
      updatedAt,
    }));
    this.#chat.dispatch({ kind: "overlay", overlay: { kind: "sessions", selected: 0, sessions: choices } });
  }

  async #resume(id: string): Promise<void> {
    const { runtime, cwd } = this.#world;
    const own = this.threads.taskOfSession(id);
    if (own !== undefined) return this.#bringToFront(own);
    await this.#takeUp(await runtime.threads.findResumable(id, { cwd }));
  }

  async #fork(): Promise<void> {
    const { sessions } = this.#world.runtime;
    const { session } = this.threads.front;
    if (!session.isBegun) return this.#say("There is nothing to fork yet");
    const { session: fork } = await sessions.fork(await sessions.find(session.id));
    await this.#takeUp(fork);
    this.#say(`This is now a copy, ${fork.sessionId.slice(0, 8)}; the original is ${session.id.slice(0, 8)}`);
  }

  // Queries of this chat are told of by what it knows itself: whether they ask, and that there is an answer to see.
  #tellTasks(): void {
    const own = this.threads.listBackground();
    const asking = new Set(own.filter(({ needsInput }) => needsInput).map(({ main }) => main.task.record.id));
    const running = this.#running.filter(({ id }) => id !== this.threads.frontTaskId);
    const listed = new Set(running.map(({ id }) => id));
    const ended = own.filter(({ isRunning, main }) => !isRunning && !listed.has(main.task.record.id));
    const tasks = [...running, ...ended.map(({ main, prompt }) => endedTask(main.task.record, prompt))].map(
      (task): ChatTask => (asking.has(task.id) ? Object.assign({}, task, { needsInput: true }) : task),
    );
    this.#chat.dispatch({ kind: "tasks", tasks });
  }

  // Between turns only: a notice is never thrown into the middle of an answer.
  async #tellNotices(): Promise<void> {
    const { front } = this.threads;
    if (front.isRunning) return;
    for (const news of await this.#takeNotices(front.session.id)) {
      const isAwaited =
        news.sessionId === front.session.id && parseTaskNotification(news.text)?.toolUseId !== undefined;
      await front.notice(news, { wake: isAwaited });
    }
  }

  async #tellOldNews(): Promise<void> {
    const { runtime, cwd } = this.#world;
    const found = await runtime.tasks.notices({ sessionId: this.threads.front.session.id, cwd });
    const line = oldNewsLine(found.filter((notice) => this.#isOld(notice)));
    if (line !== undefined) this.#say(line);
  }

  #isOld(notice: Notice): boolean {
    return isOldNews(notice, { begunAt: this.#begunAt, sessionIds: this.threads.sessionIds });
  }

  /** Takes what is for this session; nobody else gets it while this chat lives. */
  async #takeNotices(reader: string): Promise<(Notice & News)[]> {
    const { runtime, cwd, userName: by } = this.#world;
    const { threads } = this;
    const isWanted = (notice: Notice): boolean => threads.readerOf(notice) === reader && !this.#isOld(notice);
    const taken: (Notice & News)[] = [];
    const whenDelivered = (told: () => void, notice: Notice): void => void taken.push({ ...notice, told });
    for (const sessionId of threads.sessionIds)
      await runtime.tasks.consumeNotices({ sessionId, cwd, by, isWanted, whenDelivered });
    return taken.sort((a, b) => (a.endedAt < b.endedAt ? -1 : 1));
  }

  #remember(text: string): Promise<void> {
    const { runtime, cwd } = this.#world;
    return runtime.threads.rememberPrompt(text, { cwd, sessionId: this.threads.front.session.id });
  }
}

function endedTask({ id, startedAt }: { id: string; startedAt: string }, label: string): ChatTask {
  return { id, label, status: "ended", startedAt, needsInput: false };
}
