import type { Entry } from "../../format/entries/entry.ts";
import type { AgentTodo, PermissionRequest } from "../../tasks/ports.ts";

/** What a conversation has used. */
export interface ThreadUsage {
  /** The model that answered last. */
  model?: string;
  /** Tokens that the model was given and gave in its last answer. */
  contextTokens?: number;
  /** What its queries have cost since it was opened, as far as prices are known. */
  costUsd?: number;
}

/** What happens in one conversation, for whoever shows it. */
export type ThreadEvent =
  | { kind: "query-started"; atMs: number }
  | { kind: "delta"; text: string }
  | { kind: "activity"; text: string }
  /** How the output of a running tool ends now. */
  | { kind: "output"; toolUseId: string; text: string }
  /** What the conversation has used so far; what is left out is as it was. */
  | { kind: "usage"; usage: ThreadUsage }
  /** A line of the transcript. */
  | { kind: "entry"; entry: Entry }
  | { kind: "todos"; todos: readonly AgentTodo[] }
  | { kind: "asked"; request: PermissionRequest }
  | { kind: "answered"; toolUseId: string }
  | { kind: "queued"; text: string }
  | { kind: "queue-taken" }
  | { kind: "ending" }
  | { kind: "query-ended"; notice?: { text: string; isError: boolean } }
  | { kind: "backgrounded"; taskId: string };

/** What happens among the conversations of one place. */
export type ThreadsEvent =
  | { kind: "thread"; thread: string; change: ThreadEvent }
  /** Another conversation comes to the front. */
  | { kind: "fronted"; thread: string; sessionId: string }
  | { kind: "dropped"; thread: string };
