import type { EndStatus, LaunchLine, ManifestKind } from "./manifest-line.ts";

/** A piece of background work, whoever started it, as it is now. */
export interface RecoveredItem {
  id: string;
  /** `session`: a whole background session of the client. */
  kind: ManifestKind | "session";
  owner: "holdfast" | "client";
  description: string;
  /** The beginning of its prompt or command. */
  prompt: string;
  /** The type of an agent. */
  agentType?: string;
  cwd: string;
  /** The name of the machine on which it was launched. */
  machine?: string;
  /** The session that launched it. */
  sessionId?: string;
  status: "running" | EndStatus;
  startedAt: string;
  endedAt?: string;
  exitCode?: number;
  outputFile?: string;
  /** The first lines of an agent's answer, or the last lines of a command's output. */
  result?: string;
  /** What is known of how it ended, and what is not. */
  detail?: string;
  pids?: number[];
  fingerprint: string;
  /** The branch that was checked out in its folder when it was launched. */
  branch?: string;
  /** The model of an agent, as far as it is known. */
  model?: string;
  /** How we know: `manifest`, `task record`, `agent meta`, `output file`, `open file of pid 42`, … */
  knownBy: string[];
  /** Sessions that were told of its ending. */
  seenBy: string[];
  /** It had ended before, and was started again under the same id. */
  isRerun?: true;
  /** Launched by another session, of which this one began as a copy: its client says that it did not finish. */
  isCopied?: true;
  /** The client that launched it lives, and tells its session of the ending by itself. */
  isLeftToClient?: true;
  /** Its ending was told to nobody, or only to other sessions in the stead of its own. */
  isUnseen: boolean;
}

/** What looking at the files and processes of a launch says. */
export type Look = Pick<RecoveredItem, "status" | "knownBy"> &
  Partial<Pick<RecoveredItem, "endedAt" | "exitCode" | "result" | "detail" | "pids" | "isUnseen" | "seenBy">>;

/** Whether a session believes that it has launched it: it did, or it began as a copy of one that did. */
export function isOwnWork(
  { sessionId, isCopied }: Pick<RecoveredItem, "sessionId" | "isCopied">,
  session: string | undefined,
): boolean {
  return session !== undefined && (isCopied === true || sessionId === session);
}

/** What has become of an agent in a session that has taken it over; undefined when none has. */
export type LookMoved = (work: MovableWork) => Look | undefined;

export type MovableWork = Pick<LaunchLine, "agent_id" | "session_id" | "cwd" | "transcript">;
