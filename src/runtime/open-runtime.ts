import { systemClock, type Clock } from "../lib/clock.ts";
import { ensurePrivateDir } from "../lib/private-dir.ts";
import type { Recovery } from "../recovery/recover.ts";
import { openSessionStore } from "../store/open-session-store.ts";
import type { IndexTrouble } from "../store/index/derived-index.ts";
import type { SessionStore } from "../store/session-store.ts";
import { lazyFinding, type Finding } from "./lazy-finding.ts";
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
  /** Told when the index is of no use, so that an answer comes from the files and takes longer. */
  onIndexTrouble?: (trouble: IndexTrouble) => void;
}

export interface RecoverQuery {
  /** The project; without it, all of them. */
  cwd?: string | undefined;
  /** For whom: without what it was told, and without the news of other sessions that live. */
  sessionId?: string | undefined;
}

/** Everything Holdfast knows and does below one home. */
export interface Runtime extends Finding {
  readonly sessions: SessionStore;
  readonly tasks: RuntimeTasks;
  /** Background work of a project (or of all), Holdfast's and the client's: what runs, finished unseen, or was lost. */
  recover(options?: RecoverQuery): Promise<Recovery>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens the runtime. No daemon is started: any process that opens the same home sees the same. */
export function openRuntime(options: RuntimeOptions): Runtime {
  ensurePrivateDir(options.home);
  const { home, configDir, clock = systemClock, env = { PATH: "/usr/local/bin:/usr/bin:/bin" } } = options;
  const sessions = openSessionStore(options);
  const tasks = lazyTasks({ home, configDir, env, clock });
  const recover: Runtime["recover"] = async ({ cwd, sessionId } = {}) =>
    (await import("../recovery/survey.ts")).survey({ home, configDir, clock, projectDir: cwd, sessionId });
  const { onUnreadable, onIndexTrouble } = options;
  const finding = lazyFinding({ home, configDir, tasks, onUnreadable, onIndexTrouble });
  const close = (): Promise<void> => tasks.close();
  return { sessions, tasks, recover, ...finding, close, [Symbol.asyncDispose]: close };
}
