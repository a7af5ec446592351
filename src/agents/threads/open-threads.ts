import { promptPreviewLengthMax } from "../../format/limits.ts";
import { cutText, oneLine } from "../../format/short-text.ts";
import { isTypedPrompt, textOf } from "../../format/entry-kinds.ts";
import type { SessionStore } from "../../store/index.ts";
import type { AgentLimits, PermissionPolicy, RunnerSpec } from "../../tasks/kinds/agent/agent-settings.ts";
import type { Task } from "../../tasks/record/task.ts";
import type { Tasks } from "../../tasks/open-tasks.ts";
import type { Runner } from "../../tasks/ports.ts";
import { ownedTasks, type StartableTasks, type TasksOwner } from "../host/agent-tasks.ts";
import type { MessagePrice } from "../host/progress-counter.ts";
import { PermissionJudge } from "../host/permission-judge.ts";
import type { MainSession } from "../main-session/main-session.ts";
import type { Agents } from "../open-agents.ts";
import { findBash } from "../../lib/find-bash.ts";
import { openChatSession } from "./chat-session.ts";
import { ChatThread, type News } from "./chat-thread.ts";
import { PermissionGate, permissionAnswer } from "./permission-gate.ts";
import type { ThreadEvent, ThreadsEvent } from "./thread-event.ts";

/** What conversations are held with. */
export interface ThreadsWorld {
  sessions: SessionStore;
  tasks: StartableTasks["tasks"] & Pick<Tasks, "refresh">;
  agents: Pick<
    Agents,
    "answer" | "askFromSession" | "backgroundSession" | "foregroundSession" | "ofClient" | "start"
  >;
  /** Who answers, and how another process would start the same. */
  runner: Runner;
  spec: RunnerSpec;
  model?: string | undefined;
  permission: PermissionPolicy;
  /** The agent type that its conversations are held as. */
  type?: string | undefined;
  /** Of each query; none by default. */
  limits?: AgentLimits | undefined;
  /** What messages cost. */
  loadPrice?: (() => Promise<MessagePrice>) | undefined;
  /** Whose settings hold when rules decide. */
  configDir: string;
  cwd: string;
  userHome: string;
  /** The environment of whatever the agent starts. */
  env: Readonly<Record<string, string | undefined>>;
}

interface OpenThread {
  id: string;
  thread: ChatThread;
  judge: PermissionJudge;
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
  /** Called for everything that happens, in order. */
  tell(event: ThreadsEvent): void;
  /** News for the agent of this session, which is working. */
  takeNotices(sessionId: string): Promise<News[]>;
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
  readonly #world: ThreadsWorld;
  readonly #ports: OpenThreadsPorts;
  readonly #open = new Map<string, OpenThread>();
  #count = 0;
  #front!: OpenThread;

  constructor(world: ThreadsWorld, ports: OpenThreadsPorts) {
    this.#world = { ...world };
    this.#ports = ports;
  }

  /** The model of the next request; undefined if the agent chooses. */
  get model(): string | undefined {
    return this.#world.model;
  }

  set model(model: string | undefined) {
    this.#world.model = model;
  }

  /** Who decides about tools. */
  get permission(): PermissionPolicy {
    return this.#world.permission;
  }

  /** Changes it for every conversation of the chat; what is asked already stays asked. */
  set permission(policy: PermissionPolicy) {
    this.#world.permission = policy;
    for (const { judge } of this.#open.values()) judge.setPolicy(policy);
  }

  /** The conversation in front. */
  get front(): ChatThread {
    return this.#front.thread;
  }

  /** The sessions that it has open. */
  get sessionIds(): string[] {
    return [...this.#open.values()].map(({ thread }) => thread.session.id);
  }

  /**
   * The receiver of a notice: a query in the background gets the notices of what it started, the front gets all others.
   */
  readerOf({ taskId, sessionId }: { taskId: string; sessionId?: string }): string {
    const isOwn = [...this.#open.values()].some(
      (each) => each !== this.#front && each.thread.isRunning && each.thread.session.id === sessionId,
    );
    return isOwn && sessionId !== undefined && !this.has(taskId) ? sessionId : this.front.session.id;
  }

  /**
   * Brings a conversation to the front: a new one, or a session to continue. The one that was in front is closed, or
   * goes to the background if its query runs.
   */
  async begin(sessionId?: string): Promise<void> {
    const before = this.#front as OpenThread | undefined;
    const own = [...this.#open.values()].find(
      ({ thread }) => sessionId !== undefined && thread.session.id === sessionId,
    );
    if (own && own !== before && isMain(own)) return void (await this.foreground(own.main.task.record.id));
    if (before?.thread.isRunning) await this.#toBackground(before);
    this.#bringUp(this.#add(sessionId));
    if (before && !before.thread.isRunning) await this.#close(before);
  }

  /** Sends a prompt in front: immediately, or to the running query at its next turn. */
  async say(text: string): Promise<void> {
    if (!this.front.isRunning) this.#front.prompt = text;
    await this.front.say(text);
  }

  /** Continues the query in front as a task, and starts a new conversation. Undefined if no query runs. */
  async background(): Promise<MainSession | undefined> {
    const leaving = this.#front;
    const main = await this.#toBackground(leaving);
    if (main && this.#front === leaving) this.#bringUp(this.#add());
    return main;
  }

  /**
   * Asks something in the background from what was said in front so far, whatever runs there; what comes of it is added to
   * this conversation when nothing runs in it. Undefined when nothing was said yet.
   */
  async askAside(prompt: string): Promise<Task | undefined> {
    const { sessions, agents, spec, model, permission, limits, cwd, type } = this.#world;
    const { id, isBegun } = this.front.session;
    if (!isBegun) return undefined;
    const session = await sessions.find(id);
    return agents.askFromSession({ session, prompt, cwd, runner: spec, model, permission, limits, type });
  }

  /** The query of this chat that belongs to a session, by its id or the beginning of it, and is not in front. */
  taskOfSession(sessionId: string): string | undefined {
    const found = this.listBackground().filter(({ main }) =>
      main.task.record.sessionId?.startsWith(sessionId),
    );
    return found.length === 1 ? found[0]!.main.task.record.id : undefined;
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
    this.#bringUp(coming);
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
    this.#ports.tell({ kind: "dropped", thread: dropped.id });
  }

  /** Queries that are not in front. Ended ones are included while their answer was not seen. */
  listBackground(): BackgroundQuery[] {
    return [...this.#open.values()].filter(isMain).flatMap((each) => {
      if (each === this.#front) return [];
      const { main, thread, prompt } = each;
      return [{ main, prompt, isRunning: thread.isRunning, needsInput: thread.isAsking }];
    });
  }

  /** The task of the conversation in front, if it is one. */
  get frontTaskId(): string | undefined {
    return this.#front.main?.task.record.id;
  }

  /** Answers the question of an agent in the background with what the person said. */
  async answerTask(
    taskId: string,
    { requestId, answer, by }: { requestId: string; answer: "yes" | "no" | "always"; by: string },
  ): Promise<void> {
    await this.#world.agents.answer(taskId, { requestId, answer: permissionAnswer(answer), by });
  }

  /**
   * Ends the query in front and gives each query in the background a process of its own. Returns the session that can
   * be continued, if anything was said, and the queries that could not continue alone.
   */
  async leave(): Promise<{ sessionId: string | undefined; ended: string[] }> {
    const { id, isBegun } = this.front.session;
    await this.front.stop();
    const ended: string[] = [];
    for (const { main, isRunning } of this.listBackground())
      if (isRunning && !(await this.#goOnAlone(main))) ended.push(main.task.record.id);
    return { sessionId: isBegun ? id : undefined, ended };
  }

  /** Closes the sessions of all of them. */
  async closeAll(): Promise<void> {
    for (const each of this.#open.values()) await this.#close(each);
  }

  // False when it could not go on without this process.
  async #goOnAlone(main: MainSession): Promise<boolean> {
    const { permission } = this.#world;
    const { thread, judge } = this.#find(main.task.record.id) ?? {};
    const onEndedHere = async (): Promise<void> => {
      await thread?.ended();
      // From now on whoever comes next may write it: the new process, when it has the answer.
      await thread?.session.close();
    };
    try {
      await main.handOn({ permission, allowed: judge?.approved, onEndedHere });
      return true;
    } catch {
      return false;
    }
  }

  #find(taskId: string): (OpenThread & { main: MainSession }) | undefined {
    return [...this.#open.values()].filter(isMain).find(({ main }) => main.task.record.id === taskId);
  }

  async #toBackground(leaving: OpenThread): Promise<MainSession | undefined> {
    const { thread, main } = leaving;
    if (main && thread.isInBackground) {
      thread.leaveFront();
      main.setForeground(false);
      return main;
    }
    const query = await thread.handOver();
    if (!query) return undefined;
    const { agents, spec, model, cwd, permission, limits, type } = this.#world;
    try {
      const conversation = await thread.session.entries();
      const typed = conversation.findLast(isTypedPrompt);
      // One that was woken by the news of a task is about what was asked before.
      const prompt = leaving.prompt === "" && typed ? textOf(typed) : leaving.prompt;
      const begun = await agents.backgroundSession({
        sessionId: thread.session.id,
        cwd,
        description: cutText(oneLine(prompt), promptPreviewLengthMax),
        prompt,
        conversation,
        query: query.goOn,
        abortController: query.abort,
        runner: spec,
        model,
        permission,
        limits,
        mainType: type,
      });
      leaving.main = begun;
      const taskId = begun.task.record.id;
      this.#ports.tell({ kind: "thread", thread: leaving.id, change: { kind: "backgrounded", taskId } });
      const onEnd = async (): Promise<void> => {
        await query.giveUp();
        await thread.ended();
        // Its ending is on the disk by now: what it owes to its session is there.
        await thread.settle();
        this.#ports.onChanged();
      };
      begun.result.then(onEnd, onEnd);
      return begun;
    } catch (error) {
      // Nobody runs it in the background, so it ends here, with what it still has to say.
      await query.giveUp();
      throw error;
    }
  }

  #bringUp(next: OpenThread): void {
    this.#front = next;
    this.#ports.tell({ kind: "fronted", thread: next.id, sessionId: next.thread.session.id });
  }

  async #close({ id, thread }: OpenThread): Promise<void> {
    this.#open.delete(id);
    await thread.ended();
    await thread.settle();
    await thread.session.close();
  }

  #add(sessionId?: string): OpenThread {
    const world = this.#world;
    const { sessions, tasks, agents, runner, cwd, env, limits = {}, configDir, userHome, loadPrice } = world;
    const id = `thread-${++this.#count}`;
    const show = (change: ThreadEvent): void => this.#ports.tell({ kind: "thread", thread: id, change });
    const place = { cwd, userHome, hasBash: findBash(env) !== undefined };
    const judge = new PermissionJudge({ policy: world.permission, configDir, place });
    const gate = new PermissionGate({
      judge,
      onAsked: (request) => {
        show({ kind: "asked", request });
        this.#ports.onChanged();
      },
      onAnswered: (toolUseId) => show({ kind: "answered", toolUseId }),
    });
    const session = openChatSession(sessions, { cwd, ...(sessionId !== undefined && { sessionId }) });
    // Another model and another permission may be chosen while it is open.
    const owner: TasksOwner = {
      cwd,
      sessionId: session.id,
      runner: world.spec,
      limits,
      get permission() {
        return world.permission;
      },
      get model() {
        return world.model;
      },
    };
    const thread = new ChatThread(session, {
      runner,
      cwd,
      configDir,
      env,
      limits,
      get model() {
        return world.model;
      },
      judge,
      gate,
      show,
      loadPrice,
      tasks: ownedTasks({ tasks, agents }, owner),
      takeNotices: () => this.#ports.takeNotices(session.id),
      onIdle: () => this.#ports.onIdle(),
    });
    const opened: OpenThread = { id, thread, judge, prompt: "" };
    this.#open.set(id, opened);
    return opened;
  }
}

function isMain(thread: OpenThread): thread is OpenThread & { main: MainSession } {
  return thread.main !== undefined;
}
