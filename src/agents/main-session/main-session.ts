import type { RunnerEnd, RunnerEvent, RunnerMessage, RunnerRequest } from "../../tasks/ports.ts";
import type { AgentResult } from "../../tasks/kinds/agent/agent-result.ts";
import type { Entry } from "../../format/entries/entry.ts";
import type { AgentLimits, PermissionPolicy, RunnerSpec } from "../../tasks/kinds/agent/agent-settings.ts";
import type { AgentTask, RunUnderWay } from "../host/host-local-agent.ts";

/** A conversation of an interactive chat that goes to the background. */
export interface MainSessionRequest {
  /** The chat's session; the task's own transcript is a sub-agent's of it, never its main file. */
  sessionId: string;
  cwd: string;
  description: string;
  /** The conversation so far, with which the task's transcript begins. */
  messages: readonly RunnerMessage[];
  /** That of the query: stopping the task aborts it, and whoever aborts it ends the task. */
  abortController?: AbortController | undefined;
  name?: string | undefined;
  model?: string | undefined;
  /** How a process of its own could go on with it; without one nobody can. */
  runner?: RunnerSpec | undefined;
}

export interface BackgroundSessionRequest extends Omit<MainSessionRequest, "messages"> {
  messages?: readonly RunnerMessage[] | undefined;
  /**
   * The conversation so far as it stands in the session's transcript, in place of `messages`. What the query says from
   * here on is then owed to that session: whoever may write it appends it there when the query has ended.
   */
  conversation?: readonly Entry[] | undefined;
  /** What the person asked; by default the last words of the user. */
  prompt?: string | undefined;
  /** The agent type that the conversation is held as. */
  mainType?: string | undefined;
  /** Who decides about tools, and what ends it, when it goes on in a process of its own. */
  permission?: PermissionPolicy | undefined;
  limits?: AgentLimits | undefined;
  /** The running query; it goes on from where it is. A host that drives it already goes on with the task's ports. */
  query: AsyncGenerator<RunnerEvent, RunnerEnd> | RunUnderWay["goOn"];
}

/** A main session as a task of this process. */
export interface MainSession {
  readonly task: AgentTask;
  /** Resolves when the ending is on the disk. */
  readonly result: Promise<AgentResult>;
  readonly isForeground: boolean;
  /** Asks the people who look at the task: for the questions of a query that nobody watches. */
  readonly askPermission: RunnerRequest["askPermission"];
  /** What was sent to the task; it is already in its transcript. */
  readonly takeMessages: RunnerRequest["takeMessages"];
  /** Ends without a notice while it is in the foreground. */
  setForeground(isForeground: boolean): void;
  /**
   * Ends the query here, without an ending, and goes on with it in a process of its own under the same id. `onEndedHere`
   * is called in between: all that it said here is written, and nobody writes. False when it has ended instead.
   */
  handOn(options: HandOnOptions): Promise<boolean>;
  /** Takes transcript and link to the chat's new session. */
  relinkOutput(sessionId: string): Promise<void>;
}

export interface HandOnOptions {
  /** Who decides about its tools from now on. */
  permission: PermissionPolicy;
  /** What somebody has allowed it for good here, as rules. */
  allowed?: readonly string[] | undefined;
  onEndedHere?: (() => Promise<void>) | undefined;
}

/** One whose query somebody else drives. */
export interface RegisteredSession extends MainSession {
  /** Resolves once it is in the task's transcript. */
  record(event: RunnerEvent): Promise<void>;
  /** The query has ended; with an error, because of it. Resolves when the ending is on the disk. */
  complete(error?: Error): Promise<AgentResult>;
}
