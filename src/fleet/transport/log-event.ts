import { parseJson } from "../../lib/read-json.ts";
import type { BundledWorkspace } from "./run-request.ts";

/**
 * What a session's log holds, in the order it happened. `entry` events are the transcript, line by line; the others say
 * who wrote it and how it went.
 */
export type LogEvent =
  /** A worker has taken the run: everything behind this is written under its epoch. */
  | { kind: "claimed"; epoch: number; run: number; worker: string; host: string; at: string }
  /** What the session had said before it came to the fleet: an object that holds the lines of its transcript. */
  | { kind: "base"; object: string; bytes: number }
  /** One line of the transcript. */
  | { kind: "entry"; entry: TranscriptEntry }
  /** A line too large for a message; the object holds it. */
  | { kind: "large-entry"; object: string; bytes: number }
  /** How far it is; only the newest counts. */
  | { kind: "progress"; progress: RunProgress }
  /** What the agent and its sub-agents have used of the run's limits, or set aside; only the newest of a run counts. */
  | { kind: "spent"; turns: number; tokens: number; costUsd: number }
  /**
   * A control was obeyed; those up to this sequence are not looked at again. What ends a run is obeyed by `finished`. Without a
   * run it is of those that name none.
   */
  | { kind: "controlled"; sequence: number; run?: number }
  /** The workspace as it was at this moment. */
  | { kind: "workspace"; workspace: BundledWorkspace; leftOut?: readonly string[]; at: string }
  /** It could not be kept as it was at this moment, and why: what was kept last is what there is. */
  | { kind: "workspace-refused"; why: string; at: string }
  /** The worker was asked to end and gives the run back. */
  | { kind: "released"; epoch: number; worker: string; at: string }
  /** `controlled`: the last control without a run that was heard: it is none of the next run's. */
  | { kind: "finished"; run: number; ending: RunEnding; at: string; controlled?: number };

export type TranscriptEntry = { type: string } & Record<string, unknown>;

/** How far an agent is, in the words of a local agent's progress; handed on as it is. */
export interface RunProgress {
  turns: number;
  toolUses: number;
  tokens: number;
  summary?: string;
  todos?: readonly { content: string; status: string; activeForm?: string }[];
  needsInput?: { requestId: string; title: string };
  [more: string]: unknown;
}

export type RunEnding =
  | { status: "completed"; result: RunResult }
  | { status: "failed"; reason: string; result?: RunResult }
  | { status: "stopped"; by: string; reason?: string };

/** What a finished agent gives back, in the words of a local agent's result. */
export interface RunResult {
  content: readonly unknown[];
  totalDurationMs: number;
  totalTokens: number;
  totalToolUseCount: number;
  usage: Record<string, number>;
  costUsd?: number;
}

/** An event with its place in the log. */
export interface LoggedEvent {
  /** Grows along the log, with gaps: other sessions share the stream. */
  sequence: number;
  /** When the server stored it. */
  at: string;
  event: LogEvent;
}

export function encodeEvent(event: LogEvent): Uint8Array {
  return Buffer.from(JSON.stringify(event));
}

/** Undefined for what is no event of ours: a newer version may write kinds that this one does not know. */
export function parseEvent(bytes: Uint8Array): LogEvent | undefined {
  const event = parseJson(bytes) as LogEvent | null | undefined;
  return typeof event?.kind === "string" ? event : undefined;
}
