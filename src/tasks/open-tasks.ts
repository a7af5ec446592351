import type { Clock } from "../lib/clock.ts";
import { once } from "../lib/once.ts";
import type { IndexTrouble } from "../store/index/derived-index.ts";
import { taskError } from "./errors.ts";
import type { TaskEventListener, TaskEvent } from "./events/task-event.ts";
import type { EventsOptions } from "./events/task-events.ts";
import type { TaskKindHandler, TaskOutput } from "./kind-handler.ts";
import type { ShellRequest } from "./kinds/shell/shell-request.ts";
import type { ListTasksOptions } from "./list/list-tasks.ts";
import type { ListedTask } from "./list/listed-task.ts";
import type { LiveTasks } from "./live/live-tasks.ts";
import type { TaskRow } from "./live/task-row.ts";
import type { TaskOrId } from "./look-at-tasks.ts";
import type { Notice, NoticeReader, NoticeTaker } from "./notices/notices.ts";
import type { LedgerEntry } from "./notices/read-ledger.ts";
import type { Reader } from "./notices/told.ts";
import type { AttachedTerminal } from "./kinds/shell/attach-to-terminal.ts";
import type { TaskDetails } from "./inspect-task.ts";
import type {
  FollowBytesOptions,
  FollowOutputOptions,
  OutputPiece,
  OutputStream,
} from "./output/follow-output.ts";
import type { OutputFound, OutputQuery } from "./output/search-output.ts";
import type { OutputWindow, WindowRequest } from "./output/read-window.ts";
import type { ListedProcess } from "./supervise/list-processes.ts";
import type { OutputText, ReadOptions } from "./output/read-output.ts";
import type { NewOutputOptions, ShellOutput, TaskOutputOptions } from "./output/task-output.ts";
import type { DueOptions } from "./prune/prune-due.ts";
import type { PrunedTask, PruneOptions } from "./prune/prune-tasks.ts";
import type { Task } from "./record/task.ts";
import type { TaskKind } from "./record/task-record.ts";
import { isEnded, type EndedState } from "./record/task-state.ts";
import type { EndedTask, SeveralOptions, WaitedFor, WaitOptions } from "./record/wait-task.ts";
import type { Launcher } from "./supervise/open-launcher.ts";
import type { StopOptions } from "./supervise/stop-task.ts";

export interface TasksOptions {
  home: string;
  clock: Clock;
  /** Whether a process has this session open; a dead session's notices go to the next one of its project. */
  isSessionAlive: (sessionId: string) => boolean;
  /** Starts supervisors; the parts of a runtime share one. */
  launcher: Launcher;
  /** Told of every launch, of whatever kind, once it is acknowledged. Must not throw. */
  onLaunched?: (task: Task) => Promise<void>;
  /** Told once, at the first look, that a task runs on the fleet: somebody may have to follow it again. */
  onRemote?: () => void;
  /** Told when the index of ended tasks is of no use, so that an answer takes longer. */
  onIndexTrouble?: ((trouble: IndexTrouble) => void) | undefined;
}

export type NoticeQuery = Omit<NoticeReader, "isSessionAlive">;

/**
 * Every background task of a home, whoever started it. A verb takes a task, or what a person calls it. It throws
 * `task_not_found` or `task_ambiguous` when that is not one task.
 */
export interface Tasks {
  /**
   * Runs a command. Acknowledged once the record is on the disk and the supervisor runs. Throws `task_refused`, `task_limit` or
   * `launch_failed`.
   */
  start(request: ShellRequest): Promise<Task>;
  /** Tasks that run, newest first; with `all` also those that ended. */
  list(options?: ListTasksOptions): Promise<Task[]>;
  /** The same as a list shows them; faster for many tasks. */
  overview(options?: ListTasksOptions): Promise<ListedTask[]>;
  /** By id, unique prefix, name or `@last`. */
  find(id: string): Promise<Task>;
  /** By its whole id: never by a prefix or a name. Throws `task_not_found`, or `task_ambiguous` when two projects have it. */
  named(id: string): Promise<Task>;
  /** As it is now. */
  refresh(task: TaskOrId): Promise<Task>;
  /** The ending, once there is one; undefined when the time is up or the signal comes first. */
  wait(task: TaskOrId, options?: WaitOptions): Promise<EndedState | undefined>;
  /** The first that has ended, or all that had; none when the time is up or the signal comes first. */
  waitAny(tasks: readonly TaskOrId[], options?: WaitOptions): Promise<EndedTask[]>;
  /**
   * Waits for all of them, or for the first, for a limited time. Returns those that ended, in order, and the others.
   */
  waitFor(tasks: readonly TaskOrId[], options?: SeveralOptions): Promise<WaitedFor>;
  /**
   * Ends a task with everything that it started, and returns the ending. Throws `stop_failed` when a process does not die, or
   * when they run where this process cannot look; with `isForced` such a task is given up, and its ending is `lost`.
   */
  stop(
    task: TaskOrId,
    options: Omit<StopOptions, "clock"> & { isForced?: boolean | undefined },
  ): Promise<EndedState>;
  /** What a task produced: the output of a command, or the answer of an agent. */
  output(task: TaskOrId, options: Omit<TaskOutputOptions, "clock">): Promise<TaskOutput>;
  /** What a command has printed since this reader last asked. Throws `not_supported` for an agent. */
  newOutput(task: TaskOrId, options: Omit<NewOutputOptions, "clock">): Promise<ShellOutput>;
  /** The output as it is written, piece by piece, until the task has ended. */
  follow(task: TaskOrId, options?: FollowOutputOptions): AsyncGenerator<OutputPiece>;
  /** One stream of it byte for byte. */
  followBytes(task: TaskOrId, options: FollowBytesOptions): AsyncGenerator<Buffer>;
  /** What one stream holds now: its head and its tail, or its last lines. */
  read(task: TaskOrId, options: ReadOptions): Promise<OutputText>;
  /** Any part of one stream, in at most 256 KiB; costs the same for 5 GB as for 5 KB. */
  window(task: TaskOrId, request: WindowRequest & { stream: OutputStream }): Promise<OutputWindow>;
  /** The bytes of one stream from one to before another, piece by piece, as fast as they are taken. */
  bytes(task: TaskOrId, range: { stream: OutputStream; from: number; to: number }): AsyncGenerator<Buffer>;
  /**
   * Every match in one stream, in a thread of its own: the count is exact, and it says how far it is. Throws `task_refused` for an
   * expression that is none.
   */
  searchOutput(
    task: TaskOrId,
    query: OutputQuery & { stream: OutputStream; signal: AbortSignal },
  ): AsyncGenerator<OutputFound>;
  /** The processes of a task that runs, parents before children; undefined where this process cannot look. */
  processes(task: TaskOrId): Promise<ListedProcess[] | undefined>;
  /** Joins the terminal of a task that was started with `tty`. Throws `no_stdin` when it has none. */
  attach(task: TaskOrId): Promise<AttachedTerminal>;
  /** Everything that is known about a task. */
  inspect(task: TaskOrId): Promise<TaskDetails>;
  /** The pid of its supervisor, as soon as that has one. */
  pid(task: TaskOrId): Promise<number | undefined>;
  /** Sends input to a command, or a message to an agent, which the agent gets between two turns. Throws `no_stdin`. */
  send(task: TaskOrId, text: string): Promise<void>;
  /** The endings that were not delivered to anybody yet. */
  notices(query?: NoticeQuery): Promise<Notice[]>;
  /** The same, each for one taker only. They count as told from now on, or when the taker confirms the delivery. */
  consumeNotices(query: NoticeQuery & NoticeTaker): Promise<Notice[]>;
  /** Records that somebody was shown the ending of a task. Its owner gets no notice of it. */
  told(task: TaskOrId, reader: Reader): Promise<void>;
  /** As a table of all tasks has it, now. */
  row(task: TaskOrId): Promise<TaskRow>;
  /** What became of the news of its ending, step by step. */
  ledger(task: TaskOrId): Promise<LedgerEntry[]>;
  /** Nobody gets a notice of its ending. */
  mute(task: TaskOrId): Promise<void>;
  /** Keeps a task from being pruned, or lets it be pruned again. */
  retain(task: TaskOrId, options?: { isRetained?: boolean }): Promise<void>;
  /**
   * Events of tasks, as they happen; after a cursor, first what happened since then. Throws a RangeError if the cursor
   * is not valid.
   */
  events(options: EventsOptions): AsyncGenerator<TaskEvent>;
  /**
   * The same by a call for each. The next event waits for the promise of the call before. Returns at the signal; throws what the
   * listener throws, and calls it no more.
   */
  onEvent(listener: TaskEventListener, options: EventsOptions): Promise<void>;
  /** Every task, kept current while it is open, for who shows them all. The caller closes it. */
  live(): Promise<LiveTasks>;
  /**
   * Removes ended tasks that are too old, or too large together; not what is retained, and what nobody was told of only
   * `withUntold`.
   */
  prune(options?: Omit<PruneOptions, "clock">): Promise<PrunedTask[]>;
  /** The same in a limited time, for who has something else to do; what is left goes the next time. Returns how many went. */
  pruneDue(options: Omit<DueOptions, "clock">): Promise<number>;
  /** Removes an ended task. Throws `task_refused` while it runs. */
  remove(task: TaskOrId): Promise<void>;
  /** Releases what was opened to start tasks. The tasks continue. */
  close(): Promise<void>;
}

/** Opens the tasks of a home. Nothing is read, and each verb is loaded, when it is first used. */
export function openTasks(given: TasksOptions): Tasks {
  const { home, clock, launcher, isSessionAlive, onLaunched, onRemote } = given;
  const indexOptions = { onTrouble: given.onIndexTrouble };
  const looking = once(async () => {
    const finder = (await import("./look-at-tasks.ts")).lookAtTasks(home, indexOptions);
    if (onRemote && finder.hasRemote()) onRemote();
    return finder;
  });
  const find = async (task: TaskOrId): Promise<Task> => (await looking()).find(task);
  const starting = once(() => import("./kinds/shell/start-shell.ts"));
  return {
    async start(request) {
      const { startShell } = await starting();
      const task = await startShell(await launcher.context(), request);
      await onLaunched?.(task);
      return task;
    },
    list: async (options) => (await looking()).list(options),
    overview: async (options) => (await looking()).overview(options),
    find,
    named: async (id) => (await import("./list/find-task.ts")).namedTask(home, id),
    refresh: async (task) => (await looking()).refresh(task),
    async wait(task, options) {
      return (await import("./record/wait-task.ts")).waitForEnd(await find(task), options);
    },
    async waitAny(several, options) {
      const found = await Promise.all(several.map(find));
      return (await import("./record/wait-task.ts")).waitForAny(found, options);
    },
    async waitFor(several, options) {
      const found = await Promise.all(several.map(find));
      return (await import("./record/wait-task.ts")).waitForSeveral(found, options);
    },
    async stop(wanted, { isForced = false, ...options }) {
      const task = await find(wanted);
      const { abandonUnseen } = await import("./supervise/abandon-unseen.ts");
      const abandoned = isForced ? abandonUnseen(task, { ...options, clock }) : undefined;
      if (abandoned) return abandoned;
      return (await handlerOf(task)).stop(task, { ...options, clock });
    },
    async output(wanted, options) {
      const task = await find(wanted);
      return (await handlerOf(task)).getOutput(task, { ...options, clock });
    },
    async newOutput(task, options) {
      const { readNewOutput } = await import("./output/task-output.ts");
      return readNewOutput(await find(task), { ...options, clock });
    },
    async *follow(task, options) {
      yield* (await import("./output/follow-output.ts")).followOutput(await find(task), options);
    },
    async *followBytes(task, options) {
      yield* (await import("./output/follow-output.ts")).followBytes(await find(task), options);
    },
    async read(task, options) {
      const [{ outputFileOf }, { readOutput }] = await Promise.all([
        import("./output/follow-output.ts"),
        import("./output/read-output.ts"),
      ]);
      return readOutput(outputFileOf(await find(task), options.stream), options);
    },
    async window(wanted, { stream, ...request }) {
      const task = await find(wanted);
      const [{ outputFileOf }, { readWindow }] = await Promise.all([
        import("./output/follow-output.ts"),
        import("./output/read-window.ts"),
      ]);
      return readWindow(outputFileOf(task, stream), { ...request, isFinal: isEnded(task.state) });
    },
    async *bytes(task, { stream, ...range }) {
      const { outputFileOf } = await import("./output/follow-output.ts");
      const { readRange } = await import("./output/read-range.ts");
      yield* readRange(outputFileOf(await find(task), stream), range);
    },
    async *searchOutput(wanted, { stream, signal, ...query }) {
      const { outputFileOf } = await import("./output/follow-output.ts");
      const { searchInThread } = await import("./output/search-in-thread.ts");
      yield* searchInThread(outputFileOf(await find(wanted), stream), query, { signal });
    },
    async processes(task) {
      return (await import("./supervise/list-processes.ts")).listProcesses(await find(task));
    },
    attach: async (task) =>
      (await import("./kinds/shell/attach-to-terminal.ts")).attachToTerminal(await find(task)),
    inspect: async (task) => (await import("./inspect-task.ts")).inspectTask(await find(task)),
    pid: async (task) => (await import("./inspect-task.ts")).supervisorPid(await find(task)),
    async send(wanted, text) {
      const task = await find(wanted);
      await (await handlerOf(task)).send(task, text, { clock });
    },
    notices: async (query) =>
      (await import("./notices/notices.ts")).listNotices(
        home,
        { ...query, isSessionAlive, clock },
        indexOptions,
      ),
    async consumeNotices(query) {
      const { consumeNotices } = await import("./notices/notices.ts");
      return consumeNotices(home, { ...query, isSessionAlive, clock }, indexOptions);
    },
    async told(task, reader) {
      (await import("./notices/told.ts")).noteTold(await find(task), { ...reader, clock });
    },
    async row(task) {
      const { taskRow } = await import("./live/task-row.ts");
      return taskRow((await looking()).refresh(task));
    },
    ledger: async (task) => (await import("./notices/read-ledger.ts")).readLedger(await find(task)),
    mute: async (task) => (await import("./notices/notices.ts")).muteNotice(await find(task)),
    async retain(task, { isRetained = true } = {}) {
      (await import("./prune/retain-task.ts")).retainTask(await find(task), { isRetained });
    },
    async *events(options) {
      yield* (await import("./events/task-events.ts")).watchTasks(home, options, indexOptions);
    },
    async onEvent(listener, options) {
      const { watchTasks } = await import("./events/task-events.ts");
      for await (const event of watchTasks(home, options, indexOptions)) await listener(event);
    },
    live: async () => (await import("./live/live-tasks.ts")).openLiveTasks(home),
    prune: async (options) =>
      (await import("./prune/prune-tasks.ts")).pruneTasks(home, { ...options, clock }),
    pruneDue: async (options) => (await import("./prune/prune-due.ts")).pruneDue(home, { ...options, clock }),
    async remove(task) {
      const { removeEnded } = await import("./prune/remove-task.ts");
      removeEnded(home, await find(task));
    },
    close: () => launcher.close(),
  };
}

// A new kind adds its handler here.
const handlers: Readonly<Record<TaskKind, () => Promise<TaskKindHandler>>> = {
  local_bash: async () => (await import("./kinds/shell/shell-handler.ts")).shellHandler,
  local_agent: async () => (await import("./kinds/agent/agent-handler.ts")).agentHandler,
  remote_agent: async () => (await import("./kinds/remote/remote-handler.ts")).remoteHandler,
};

// The record may be of a newer Holdfast, which knows more kinds.
async function handlerOf({ record: { id, kind } }: Task): Promise<TaskKindHandler> {
  if (Object.hasOwn(handlers, kind)) return handlers[kind]();
  throw taskError("not_supported", `Cannot handle task "${id}": unknown kind "${kind}"`);
}
