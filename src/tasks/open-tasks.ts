import { residentLauncherRssBytes } from "../format/limits.ts";
import type { Clock } from "../lib/clock.ts";
import { taskError } from "./errors.ts";
import { bashHandler } from "./kinds/bash/bash-handler.ts";
import { launchShell } from "./kinds/bash/launch-shell.ts";
import type { ShellRequest } from "./kinds/bash/shell-request.ts";
import { ResidentLauncher } from "./kinds/bash/resident-launcher.ts";
import { startBySpawn, type ProcessStarter } from "./kinds/bash/start-process.ts";
import { eachTask, findTask, listTasks, type ListTasksOptions } from "./list-tasks.ts";
import { consumeNotices, listNotices, muteNotice, type Notice } from "./notices.ts";
import { followOutput, type FollowOutputOptions } from "./output/follow-output.ts";
import { readNewOutput, type ShellOutput, type TaskOutputOptions } from "./output/task-output.ts";
import type { TaskKindHandler } from "./ports.ts";
import { pruneTasks, removeTask, type PrunedTask, type PruneOptions } from "./prune-tasks.ts";
import type { StopOptions } from "./stop-task.ts";
import { readTask, refreshed, type Task } from "./task.ts";
import { watchTasks, type TaskEvent } from "./task-events.ts";
import { taskMarker } from "./task-processes.ts";
import { isEnded, type EndedState } from "./task-state.ts";
import { waitForAny, waitForEnd, type EndedTask, type WaitOptions } from "./wait-task.ts";

export interface TasksOptions {
  home: string;
  /** The environment that commands get. */
  env: Record<string, string | undefined>;
  clock: Clock;
  /** Whether a process has this session open; a dead session's notices go to the next one of its project. */
  isSessionAlive: (sessionId: string) => boolean;
}

export interface NoticeQuery {
  sessionId?: string | undefined;
  cwd?: string | undefined;
}

/** Every background task of a home, whoever started it. */
export interface Tasks {
  /** Acknowledged once the record is on the disk and the supervisor runs. */
  start(request: ShellRequest): Promise<Task>;
  list(options?: ListTasksOptions): Task[];
  /** By id, unique prefix, name or `@last`. Throws `task_not_found` or `task_ambiguous`. */
  find(id: string): Task;
  refresh(task: Task): Task;
  wait(task: Task, options?: WaitOptions): Promise<EndedState | undefined>;
  waitAny(tasks: readonly Task[], options?: WaitOptions): Promise<EndedTask[]>;
  stop(task: Task, options: Omit<StopOptions, "clock">): Promise<EndedState>;
  output(task: Task, options: Omit<TaskOutputOptions, "clock">): Promise<ShellOutput>;
  newOutput(task: Task, options: { reader: string; filter?: string | undefined }): ShellOutput;
  followOutput(task: Task, options?: FollowOutputOptions): AsyncGenerator<string>;
  send(task: Task, text: string): Promise<void>;
  notices(query?: NoticeQuery): Notice[];
  consumeNotices(query: NoticeQuery & { by: string }): Notice[];
  mute(task: Task): void;
  events(options: { signal: AbortSignal }): AsyncGenerator<TaskEvent>;
  prune(options?: Omit<PruneOptions, "clock">): PrunedTask[];
  /** Removes an ended task. Throws `task_refused` while it runs. */
  remove(task: Task): void;
  close(): void;
}

const handlers: readonly TaskKindHandler[] = [bashHandler];

export function openTasks({ home, env, clock, isSessionAlive }: TasksOptions): Tasks {
  const { start, close } = starter(env);
  const context = { home, env, clock, start };
  return {
    async start(request) {
      const running = [...eachTask(home)]
        .filter(({ isEnded: hasEnded }) => !hasEnded)
        .map(({ files }) => files.base);
      const after = (request.after ?? []).map((id) => findTask(home, id).files.base);
      const { files } = await launchShell(context, request, { running, after });
      return readTask(files)!;
    },
    list: (options) => listTasks(home, options),
    find: (id) => findTask(home, id),
    refresh: refreshed,
    wait: waitForEnd,
    waitAny: waitForAny,
    stop: (task, options) => handlerOf(task).stop(task, { ...options, clock }),
    output: (task, options) => handlerOf(task).getOutput(task, { ...options, clock }),
    newOutput: (task, options) => readNewOutput(task, { ...options, clock }),
    followOutput,
    send: (task, text) => handlerOf(task).send(task, text),
    notices: (query) => listNotices(home, { ...query, isSessionAlive }),
    consumeNotices: (query) => consumeNotices(home, { ...query, isSessionAlive, clock }),
    mute: muteNotice,
    events: (options) => watchTasks(home, options),
    prune: (options) => pruneTasks(home, { ...options, clock }),
    remove(task) {
      const now = refreshed(task);
      if (!isEnded(now.state))
        throw taskError("task_refused", `Cannot remove task "${task.record.id}": it runs; stop it first`);
      removeTask(now);
    },
    close,
  };
}

// A large process, or one that starts a second task, keeps a small one to start the rest.
function starter(env: TasksOptions["env"]): { start: ProcessStarter; close: () => void } {
  let launcher: ResidentLauncher | undefined;
  let started = 0;
  return {
    start: (request) => {
      started++;
      if (started === 1 && process.memoryUsage.rss() < residentLauncherRssBytes) return startBySpawn(request);
      launcher ??= new ResidentLauncher(definedOnly({ ...env, [taskMarker]: undefined }));
      return launcher.start(request);
    },
    close: () => launcher?.close(),
  };
}

function definedOnly(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function handlerOf({ record }: Task): TaskKindHandler {
  const handler = handlers.find((each) => each.canHandle(record));
  if (!handler)
    throw taskError("not_supported", `Cannot handle task "${record.id}": unknown kind "${record.kind}"`);
  return handler;
}
