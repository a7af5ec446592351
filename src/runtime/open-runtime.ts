import type { Clock } from "../lib/clock.ts";
import { ensurePrivateDir } from "../lib/private-dir.ts";
import { openSessionStore } from "../store/open-session-store.ts";
import type { SessionStore } from "../store/session-store.ts";

export interface RuntimeOptions {
  /** Holdfast's own folder; made private if it is not there. */
  home: string;
  /** The client's config folder. */
  configDir: string;
  clock?: Clock;
  /** Told of folders that may not be read, while listing. */
  onUnreadable?: (dir: string, error: Error) => void;
}

/** Everything Holdfast knows and does below one home. */
export interface Runtime {
  readonly sessions: SessionStore;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens the runtime. No daemon is started: any process that opens the same home sees the same. */
export function openRuntime(options: RuntimeOptions): Runtime {
  ensurePrivateDir(options.home);
  const sessions = openSessionStore(options);
  const close = async (): Promise<void> => {};
  return { sessions, close, [Symbol.asyncDispose]: close };
}
