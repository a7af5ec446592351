import type { TaskNotification } from "../format/task-notification.ts";

/**
 * What a person sees of a conversation: transcript entries sorted into kinds, tool calls with their results.
 * The text in it is as it was written; whoever shows it makes it safe for where it goes.
 */
export type ConversationItem = SpokenItem & {
  /** The entry that it stands in, where it was asked for. */
  uuid?: string;
  /** The model took it back, and answered anew. */
  isRetracted?: true;
};

type SpokenItem =
  | PromptItem
  | { kind: "answer"; text: string; at?: string | undefined }
  | { kind: "thinking"; text: string }
  | ToolItem
  | CompactionItem
  /** What the model was given in place of everything before a compaction. */
  | { kind: "summary"; text: string }
  | { kind: "notification"; notification: TaskNotification; at?: string | undefined }
  /** A slash or shell command of the user, and what it printed. */
  | { kind: "command"; text: string }
  | { kind: "command-output"; text: string }
  /** Another agent of the team spoke. */
  | { kind: "peer"; name: string; text: string }
  | { kind: "notice"; text: string; isError: boolean }
  /** What the client put beside the conversation; `name` says what it is. */
  | { kind: "context"; name: string };

export interface PromptItem {
  kind: "prompt";
  text: string;
  images: number;
  /** What else was given with it, each by name. */
  documents?: readonly string[];
  /** Typed while the agent worked. */
  isQueued: boolean;
  at?: string | undefined;
}

export interface CompactionItem {
  kind: "compaction";
  trigger?: string | undefined;
  tokensBefore?: number | undefined;
  tokensAfter?: number | undefined;
  at?: string | undefined;
}

export interface ToolItem {
  kind: "tool";
  /** Absent when only the result is part of what is shown. */
  name?: string;
  /** One line of what it was asked to do. */
  detail: string;
  /** The detail is a file: its end says more than its beginning. */
  isPath?: boolean;
  input?: unknown;
  /** A sub-agent's type and task, where the tool starts one. */
  agent?: ToolAgent;
  result?: ToolResult;
  at?: string | undefined;
}

export interface ToolAgent {
  type?: string;
  description?: string;
  /** Known once it was started. */
  id?: string;
  tokens?: number;
  durationMs?: number;
}

export interface ToolResult {
  text: string;
  bytes: number;
  images: number;
  isError: boolean;
  /** The background task that goes on with it. */
  backgroundTaskId?: string;
}
