import type { DashboardHome } from "./dashboard-home.ts";

/** A dashboard that can be started on a home, ours or a peer's. */
export interface DashboardProgram {
  readonly argv: (port: number) => readonly string[];
  readonly envOf: (home: DashboardHome, port: number) => NodeJS.ProcessEnv;
  /** Lets a browser in. `said` is what the server has printed so far. */
  readonly enter: (origin: string, said: () => string) => Promise<Entry>;
  readonly countSessions: (origin: string, entry: Entry) => Promise<number>;
  /** Absent for one that knows none. */
  readonly countTasks?: (origin: string, entry: Entry) => Promise<number>;
  /** The page with the list of sessions, and that of one session. */
  readonly listPath: string;
  readonly sessionPath: (sessionId: string) => string;
}

/** What lets a program and a browser in. */
export interface Entry {
  /** Of every request of a program. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of a browser: `name=value`. */
  readonly cookie?: string;
  /** What a page runs before anything else. */
  readonly script?: string;
}
