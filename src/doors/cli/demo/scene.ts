import type { SessionRef, SessionStore } from "../../../store/index.ts";
import type { Tasks } from "../../../tasks/open-tasks.ts";

/** One part of the tour. A later part of Holdfast adds a file here and its name to the list. */
export interface Scene {
  title: string;
  play: (stage: Stage) => Promise<void>;
}

/** What a scene plays on: a temporary home that is gone afterwards, and somebody to tell the story. */
export interface Stage {
  readonly home: string;
  readonly configDir: string;
  /** A working directory for sessions. */
  readonly cwd: string;
  readonly sessions: SessionStore;
  readonly tasks: Tasks;
  /** The session that the scenes hand on to each other. */
  session: SessionRef;
  /** Says what happens, in plain words. */
  tell: (text: string) => void;
  /** Something that must be so. The first one that is not ends the tour. */
  claim: (text: string, isSo: boolean) => void;
  /** Runs the real command and shows it with what it prints. */
  run: (args: readonly string[]) => Promise<CommandRun>;
  /** Starts the real command, shows it with the first line that it prints, and leaves it running. */
  start: (args: readonly string[]) => Promise<StartedCommand>;
  /** Sends a hook event, as a client would, and shows what the model is told by it; empty when that is nothing. */
  sendEvent: (event: string, fields: object, options?: SendEventOptions) => Promise<string>;
  /** Starts a process that writes to the stage's session, to be killed. */
  startWriter: () => WriterProcess;
}

export interface SendEventOptions {
  /** The client's process; by default the one that plays the tour. */
  clientPid?: number;
}

export interface CommandRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface StartedCommand {
  readonly pid: number;
  /** Resolves to the first line it prints, or to nothing when it ends without one. */
  firstLine(): Promise<string>;
  ended(): Promise<CommandRun>;
  /** kill -9, and waits until it is gone. */
  kill(): Promise<void>;
}

export interface WriterProcess {
  readonly pid: number;
  /** Uuids of the entries that it was told are safe, so far. */
  readonly acknowledged: readonly string[];
  /** Resolves when it has that many acknowledged. */
  waitFor(count: number): Promise<void>;
  /** Makes it write half a line; resolves to the byte that the half line begins at. */
  tearLine(): Promise<number>;
  /** kill -9, and waits until it is gone. */
  kill(): Promise<void>;
}
