import type { Entry } from "../../format/entries/entry.ts";
import type { AgentTodo, PermissionRequest } from "../../tasks/ports.ts";

/** What happens in one conversation, for whoever shows it. */
export type ThreadEvent =
  | { kind: "query-started"; atMs: number }
  | { kind: "delta"; text: string }
  | { kind: "activity"; text: string }
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
