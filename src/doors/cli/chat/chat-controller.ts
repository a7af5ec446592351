import { chatPromptLengthMax } from "./limits.ts";
import { parseTaskNotification } from "../../../format/task-notification.ts";
import { messageOf } from "../../../lib/errors.ts";
import type { SessionRef } from "../../../store/index.ts";
import type { Notice } from "../../../tasks/notices/notices.ts";
import { isEnded } from "../../../tasks/record/task-state.ts";
import { formatCount } from "../../../lib/quantities.ts";
import { lookAtTask } from "./background/look-at-task.ts";
import { takeNotices } from "./background/take-notices.ts";
import { watchBackground } from "./background/watch-background.ts";
import type { ChatStore } from "./chat-store.ts";
import type { ChatWorld } from "./chat-world.ts";
import { OpenThreads } from "../../../agents/threads/open-threads.ts";
import { loadItems } from "../../../agents/threads/load-items.ts";
import { permissionAnswer } from "../../../agents/threads/permission-gate.ts";
import { rememberPrompt } from "../../../agents/threads/prompt-memory.ts";
import type { ChatTask } from "./state/chat-state.ts";
import type { ChatIntent } from "./state/press-key.ts";
import { chatHelp, type SlashCommand } from "./state/slash-command.ts";

/** Sessions offered by `/resume`: as many as one looks through. */
const SESSIONS_OFFERED = 50;
/** A task that is looked at goes on. */
const LOOK_AGAIN_MS = 500;

/** Acts on what keys ask for, and tells the screen what comes of it. Decides nothing about how it looks. */
export class ChatController {
  readonly #chat: ChatStore;
  readonly #world: ChatWorld;
  readonly threads: OpenThreads;
  readonly #over = new AbortController();
  #running: readonly ChatTask[] = [];
  #watching: Promise<void> | undefined;
  #looking: NodeJS.Timeout | undefined;
  /** Told to leave. */
  onExit: () => void = () => {};

  constructor(chat: ChatStore, world: ChatWorld) {
    this.#chat = chat;
    this.#world = world;
    this.threads = new OpenThreads(chat, world, {
      takeNotices: async (sessionId) => (await this.#takeNotices(sessionId)).map(({ text }) => text),
      onIdle: () => this.#do(this.#tellNotices()),
      onChanged: () => this.#tellTasks(),
    });
    chat.onIntent = (intent) => this.#do(this.#act(intent));
  }

  /** Begins with a new conversation, or goes on with a session. */
  async start(session?: SessionRef): Promise<void> {
    await this.threads.begin(
      session && { sessionId: session.sessionId, items: await loadItems(this.#world.sessions, session) },
    );
    const { cwd, tasks } = this.#world;
    this.#watching = watchBackground(tasks, {
      cwd,
      signal: this.#over.signal,
      onTasks: (running) => {
        this.#running = running;
        this.#tellTasks();
      },
      onEnded: () => this.#do(this.#tellNotices()),
    });
    this.#do(this.#watching);
    this.#do(this.#tellNotices());
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    this.#over.abort();
    await this.#watching?.catch(() => {});
    await this.threads.closeAll();
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
        rememberPrompt(intent.text, { ...this.#world, sessionId: threads.front.session.id });
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
      case "exit":
        return this.onExit();
      case "too-long":
        return this.#say(
          `A prompt may have ${formatCount(chatPromptLengthMax)} characters; put the text into a file and name that`,
        );
    }
  }

  async #command(command: SlashCommand): Promise<void> {
    switch (command.name) {
      case "unknown": {
        const hint =
          command.near === undefined ? "/help shows what there is" : `did you mean /${command.near}?`;
        return this.#say(`There is no command /${command.typed}; ${hint}`);
      }
      case "help":
        return this.#chat.dispatch({ kind: "printed", item: { kind: "answer", text: chatHelp() } });
      case "tasks":
        return this.#chat.dispatch({ kind: "overlay", overlay: { kind: "tasks", selected: 0 } });
      case "exit":
        return this.onExit();
      case "background":
        return this.#background();
      case "clear":
        return this.#whenIdle("clear", () => this.threads.begin());
      case "fork":
        return this.#whenIdle("fork", () => this.#fork());
      case "resume":
        return this.#whenIdle("resume", () =>
          command.argument === "" ? this.#offerSessions() : this.#resume(command.argument),
        );
    }
  }

  async #whenIdle(name: string, act: () => Promise<void>): Promise<void> {
    if (!this.threads.front.isRunning) return act();
    this.#say(`A query runs: interrupt it (Ctrl+C) or background it (Ctrl+B twice), then /${name} again`);
  }

  async #background(): Promise<void> {
    const main = await this.threads.background();
    if (!main) return this.#say("No query runs that could go to the background");
    const { id, description } = main.task.record;
    this.#say(`${id} goes on in the background: ${description}. /tasks brings it back`);
    this.#tellTasks();
  }

  async #look(task: ChatTask): Promise<void> {
    if (this.threads.has(task.id)) {
      const left = await this.threads.foreground(task.id);
      if (left !== undefined) this.#say(`The conversation before this one: /resume ${left.slice(0, 8)}`);
      return this.#tellTasks();
    }
    const { tasks } = this.#world;
    const selected = this.#chat.state.tasks.findIndex(({ id }) => id === task.id);
    const show = async (): Promise<void> => {
      const lines = await lookAtTask(await tasks.find(task.id), { columns: process.stdout.columns });
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
    const { tasks, userName } = this.#world;
    const found = await tasks.find(task.id);
    if (isEnded(found.state)) await this.threads.drop(task.id);
    else await tasks.stop(found, { by: userName });
    this.#chat.dispatch({ kind: "overlay", overlay: { kind: "tasks", selected: 0 } });
    this.#tellTasks();
  }

  async #answerTask({ id }: ChatTask, answer: "yes" | "no" | "always"): Promise<void> {
    const { agents, userName: by } = this.#world;
    await agents.answer(id, { answer: permissionAnswer(answer), by });
    this.#chat.dispatch({ kind: "overlay", overlay: { kind: "tasks", selected: 0 } });
  }

  async #offerSessions(): Promise<void> {
    const { sessions, cwd } = this.#world;
    const found = await sessions.list({ cwd, limit: SESSIONS_OFFERED });
    const choices = found.map(({ sessionId: id, title, firstPrompt, updatedAt }) => ({
      id,
      title: title ?? firstPrompt ?? "(no prompt)",
      updatedAt,
    }));
    this.#chat.dispatch({ kind: "overlay", overlay: { kind: "sessions", selected: 0, sessions: choices } });
  }

  async #resume(id: string): Promise<void> {
    const { sessions, cwd } = this.#world;
    const { findResumable } = await import("../../../agents/threads/find-resumable.ts");
    const session = await findResumable(sessions, { id, cwd });
    await this.threads.begin({ sessionId: session.sessionId, items: await loadItems(sessions, session) });
  }

  async #fork(): Promise<void> {
    const { sessions } = this.#world;
    const { session } = this.threads.front;
    if (!session.isBegun) return this.#say("There is nothing to fork yet");
    const { session: fork } = await sessions.fork(await sessions.find(session.id));
    await this.threads.begin({ sessionId: fork.sessionId, items: await loadItems(sessions, fork) });
    this.#say(`This is a copy now, ${fork.sessionId.slice(0, 8)}; the original is ${session.id.slice(0, 8)}`);
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
    for (const { text, sessionId } of await this.#takeNotices(front.session.id)) {
      const isAwaited =
        sessionId === front.session.id && parseTaskNotification(text)?.toolUseId !== undefined;
      await front.notice(text, { wake: isAwaited });
    }
  }

  #takeNotices(reader: string): Promise<Notice[]> {
    const { tasks, cwd, userName: by } = this.#world;
    const { threads } = this;
    return takeNotices(tasks, {
      sessionIds: threads.sessionIds,
      cwd,
      by,
      isWanted: (notice) => threads.readerOf(notice) === reader,
    });
  }
}

function endedTask(record: { id: string; kind: string; startedAt: string }, label: string): ChatTask {
  const { id, kind, startedAt } = record;
  return { id, kind, label, status: "ended", startedAt, needsInput: false };
}
