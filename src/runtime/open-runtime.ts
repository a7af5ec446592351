import { systemClock, type Clock } from "../lib/clock.ts";
import { ensurePrivateDir } from "../lib/private-dir.ts";
import { findClientProcess } from "../store/client-processes.ts";
import { openSessionStore } from "../store/open-session-store.ts";
import type { SessionStore } from "../store/session-store.ts";
import { lazyTasks, type RuntimeTasks } from "./lazy-tasks.ts";

export interface RuntimeOptions {
  /** Holdfast's own folder; made private if it is not there. */
  home: string;
  /** The client's config folder. */
  configDir: string;
  /** The environment of the commands that it runs; by default an empty one but for PATH. Never recorded. */
  env?: Record<string, string | undefined>;
  clock?: Clock;
  /** Told of folders that may not be read, while listing. */
  onUnreadable?: (dir: string, error: Error) => void;
}

/** Everything Holdfast knows and does below one home. */
export interface Runtime {
  readonly sessions: SessionStore;
  readonly tasks: RuntimeTasks;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens the runtime. No daemon is started: any process that opens the same home sees the same. */
export function openRuntime(options: RuntimeOptions): Runtime {
  ensurePrivateDir(options.home);
  const { home, configDir, clock = systemClock, env = { PATH: "/usr/local/bin:/usr/bin:/bin" } } = options;
  const sessions = openSessionStore(options);
  const isSessionAlive = (sessionId: string): boolean =>
    findClientProcess(configDir, sessionId) !== undefined;
  const tasks = lazyTasks({ home, env, clock, isSessionAlive });
  const close = (): Promise<void> => tasks.close();
  return { sessions, tasks, close, [Symbol.asyncDispose]: close };
}
