import type { Clock } from "../lib/clock.ts";
import type { IndexTrouble } from "../store/index/derived-index.ts";
import { agentVerbs, type AgentVerbs } from "../agents/open-agents.ts";
import { taskError } from "./errors.ts";
import { processStarter } from "./supervise/process-starter.ts";
import type { ShellRequest } from "./kinds/shell/shell-request.ts";
import type { startShell } from "./kinds/shell/start-shell.ts";
import { findTask } from "./list/find-task.ts";
import { listAgentTasks, listOverview, listTasks, type ListTasksOptions } from "./list/list-tasks.ts";
import type { Notice } from "./notices/notices.ts";
import type { FollowOutputOptions } from "./output/follow-output.ts";
import type { Reader } from "./notices/told.ts";
import type { NewOutputOptions, ShellOutput, TaskOutputOptions } from "./output/task-output.ts";
import type { TaskKindHandler, TaskOutput } from "./kind-handler.ts";
import type { PrunedTask, PruneOptions } from "./prune/prune-tasks.ts";
import type { ListedTask } from "./list/listed-task.ts";
import { listRunning } from "./record/running-tasks.ts";
import type { StopOptions } from "./supervise/stop-task.ts";
import { refreshed, type Task } from "./record/task.ts";
import type { TaskEvent } from "./events/task-event.ts";
import { isEnded, type EndedState } from "./record/task-state.ts";
import type { EndedTask, WaitOptions } from "./record/wait-task.ts";

export interface TasksOptions {
  home: string;
  /** The client's config folder, where the transcripts of agents go. */
  configDir: string;
  /** The environment that commands get. */
  env: Record<string, string | undefined>;
  clock: Clock;
  /** Whether a process has this session open; a dead session's notices go to the next one of its project. */
  isSessionAlive: (sessionId: string) => boolean;
  /** Told of every launch, of whatever kind, once it is acknowledged. Must not throw. */
  onLaunched?: (task: Task) => Promise<void>;
  /** Told when the index of ended tasks is of no use, so that an answer takes longer. */
  onIndexTrouble?: ((trouble: IndexTrouble) => void) | undefined;
}

export interface NoticeQuery {
  sessionId?: string | undefined;
  cwd?: string | undefined;
}

/** Every background task of a home, whoever started it. */
export interface Tasks extends AgentVerbs {
  /** Acknowledged once the record is on the disk and the supervisor runs. */
  start(request: ShellRequest): Promise<Task>;
  list(options?: ListTasksOptions): Task[];
  /** As a list shows them, which takes less time for many. */
  overview(options?: ListTasksOptions): ListedTask[];
  /** Every task of an agent, running or ended, newest first. */
  listAgents(): Task[];
  /** By id, unique prefix, name or `@last`. Throws `task_not_found` or `task_ambiguous`. */
  find(id: string): Task;
  refresh(task: Task): Task;
  wait(task: Task, options?: WaitOptions): Promise<EndedState | undefined>;
  waitAny(tasks: readonly Task[], options?: WaitOptions): Promise<EndedTask[]>;
  stop(task: Task, options: Omit<StopOptions, "clock">): Promise<EndedState>;
  /** What a task said: of a command its output, of an agent its answer. */
  output(task: Task, options: Omit<TaskOutputOptions, "clock">): Promise<TaskOutput>;
  newOutput(task: Task, options: Omit<NewOutputOptions, "clock">): Promise<ShellOutput>;
  followOutput(task: Task, options?: FollowOutputOptions): AsyncGenerator<string>;
  /** Types into a command, or says something to an agent, which it hears between two turns. */
  send(task: Task, text: string): Promise<void>;
  notices(query?: NoticeQuery): Promise<Notice[]>;
  consumeNotices(query: NoticeQuery & { by: string }): Promise<Notice[]>;
  /** Says that somebody was shown the ending of a task: its owner gets no notice of it any more. */
  told(task: Task, reader: Reader): Promise<void>;
  mute(task: Task): Promise<void>;
  events(options: { signal: AbortSignal }): AsyncGenerator<TaskEvent>;
  prune(options?: Omit<PruneOptions, "clock">): Promise<PrunedTask[]>;
  /** Removes an ended task. Throws `task_refused` while it runs. */
  remove(task: Task): Promise<void>;
  close(): void;
}

/** Opens the tasks of a home. Looking at them is loaded with this file; each other verb when it is first used. */
export function openTasks(given: TasksOptions): Tasks {
  const { home, configDir, clock, isSessionAlive, onLaunched } = given;
  const indexOptions = { onTrouble: given.onIndexTrouble };
  // A copy: reading the process's own takes longer than all the rest of a launch.
  const env = { ...given.env };
  const { close, ...starters } = processStarter(env);
  const context = { home, configDir, env, clock, ...starters };
  let starting: Promise<{ startShell: typeof startShell }> | undefined;
  const tasks: Tasks = {
    ...agentVerbs(context, { tasks: () => tasks, onLaunched }),
    async start(request) {
      const starter = await (starting ??= import("./kinds/shell/start-shell.ts"));
      const launched = await starter.startShell(context, request);
      // One that need not wait runs, whatever the next look at it may find.
      const task: Task = launched.record.shell.waitsFor
        ? refreshed(launched)
        : { ...launched, state: { status: "running" } };
      await onLaunched?.(task);
      return task;
    },
    list: (options) => listTasks(home, options, indexOptions),
    overview: (options = {}) => listOverview(home, options, indexOptions),
    listAgents: () => listAgentTasks(home, indexOptions),
    find: (id) => findTask(home, id, indexOptions),
    refresh: refreshed,
    wait: async (task, options) => (await import("./record/wait-task.ts")).waitForEnd(task, options),
    waitAny: async (several, options) => (await import("./record/wait-task.ts")).waitForAny(several, options),
    stop: async (task, options) => (await handlerOf(task)).stop(task, { ...options, clock }),
    output: async (task, options) => (await handlerOf(task)).getOutput(task, { ...options, clock }),
    newOutput: async (task, options) =>
      (await import("./output/task-output.ts")).readNewOutput(task, { ...options, clock }),
    async *followOutput(task, options) {
      yield* (await import("./output/follow-output.ts")).followOutput(task, options);
    },
    send: async (task, text) => (await handlerOf(task)).send(task, text, { clock }),
    notices: async (query) =>
      (await import("./notices/notices.ts")).listNotices(home, { ...query, isSessionAlive }, indexOptions),
    consumeNotices: async (query) =>
      (await import("./notices/notices.ts")).consumeNotices(
        home,
        { ...query, isSessionAlive, clock },
        indexOptions,
      ),
    told: async (task, reader) => (await import("./notices/told.ts")).noteTold(task, { ...reader, clock }),
    mute: async (task) => (await import("./notices/notices.ts")).muteNotice(task),
    async *events(options) {
      yield* (await import("./events/task-events.ts")).watchTasks(home, options);
    },
    prune: async (options) =>
      (await import("./prune/prune-tasks.ts")).pruneTasks(home, { ...options, clock }),
    async remove(task) {
      const now = refreshed(task);
      if (!isEnded(now.state))
        throw taskError("task_refused", `Cannot remove task "${task.record.id}": it runs; stop it first`);
      (await import("./prune/remove-task.ts")).removeTask(home, now);
    },
    close,
  };
  // Runs on the fleet have gone on while this machine was off.
  if (listRunning(home).some(({ id }) => id.startsWith("r")))
    void import("../fleet/runs/attend-remote.ts").then(({ attendRemote }) => attendRemote(context));
  return tasks;
}

// Asked in order; a new kind adds its handler here.
const handlers: (() => Promise<TaskKindHandler>)[] = [
  async () => (await import("./kinds/shell/shell-handler.ts")).bashHandler,
  async () => (await import("./kinds/agent/agent-handler.ts")).agentHandler,
  async () => (await import("./kinds/remote/remote-handler.ts")).remoteHandler,
];

async function handlerOf({ record }: Task): Promise<TaskKindHandler> {
  for (const load of handlers) {
    const handler = await load();
    if (handler.canHandle(record)) return handler;
  }
  throw taskError("not_supported", `Cannot handle task "${record.id}": unknown kind "${record.kind}"`);
}
