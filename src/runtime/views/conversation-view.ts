import type { CompactionItem, ConversationItem, ToolItem } from "../../conversation/conversation-item.ts";
import type { ElsewhereText } from "../../conversation/elsewhere-text.ts";
import type { QuestionLine } from "../../conversation/question-lines.ts";
import type { Rejection } from "../../store/line/rejection.ts";
import type { ConversationGap } from "../../store/read/conversation.ts";
import type { SessionView } from "./session-view.ts";

/** `whole` goes on across compactions; `context` is what the model still knows. */
export type ConversationWindow = "whole" | "context";

/**
 * A conversation as a list of rows, which are numbered from 0 in its order. A row is an entry of the transcript with its
 * items; the results of its tools are in it, so the entries that hold only those have no row.
 */
export interface ConversationView {
  session: SessionView;
  /** The transcript is that of this sub-agent. */
  agentId: string | null;
  view: ConversationWindow;
  rows: number;
  /** Rows keep their numbers as long as this stays the same; a rewound transcript, or another branch, has another. */
  generation: string;
  /** The newest message; null when there is none. */
  leaf: string | null;
  /** The row at which what the model still knows begins; 0 without a compaction. */
  contextFrom: number;
  compactions: (Omit<CompactionItem, "kind"> & { row: number })[];
  /** The newest messages of other branches: `leaf` takes one. */
  branches: string[];
  /** What of the file is not in these rows, in words. */
  elsewhere: ElsewhereText[];
  /** Lines that are no entries. The first 1,000, with how many there are. */
  rejections: { total: number; shown: Rejection[] };
  gaps: ConversationGap[];
  /** A process has the session open for writing. */
  isOpen: boolean;
  /** The running tasks of the session: agents among them take messages. */
  tasks: string[];
}

/** An image by its address, so that no JSON holds it. */
export interface ImageView {
  url: string;
  mediaType: string;
}

/** A text that may be too long for a page: its beginning, and where all of it is. */
export interface LongTextView {
  text: string;
  bytes: number;
  /** Null when it is whole. */
  url: string | null;
}

export type ItemView =
  | (Exclude<ConversationItem, { kind: "tool" | "prompt" | "answer" | "thinking" | "summary" }> & Extra)
  | ({
      kind: "prompt";
      said: LongTextView;
      isQueued: boolean;
      documents: readonly string[];
      at: string | null;
    } & Extra)
  | ({ kind: "answer" | "thinking" | "summary"; said: LongTextView; at: string | null } & Extra)
  | ({ kind: "tool"; at: string | null } & ToolView & Extra);

interface Extra {
  images?: ImageView[];
}

export interface ToolView extends Pick<ToolItem, "name" | "detail" | "isPath" | "agent"> {
  toolUseId: string | null;
  /** What it was given: its command, difference, content or arguments. Cut after some hundred lines. */
  lines: QuestionLine[];
  isCut: boolean;
  /** Null while there is none. */
  result: {
    said: LongTextView;
    isError: boolean;
    images: ImageView[];
    at: string | null;
    /** The background task that goes on with it. */
    backgroundTaskId: string | null;
  } | null;
}

export interface RowView {
  /** Null when it was read from the end, before the rows were counted. */
  row: number | null;
  uuid: string | null;
  /** Of its line in the transcript. */
  offset: number;
  items: ItemView[];
}

export interface RowsView {
  generation: string | null;
  /** Of the whole conversation; null when it was read from the end, before the rows were counted. */
  total: number | null;
  /** The number of the first one. */
  from: number | null;
  rows: RowView[];
}

/** For a minimap and for jumps: the numbers of rows, in order. */
export interface DigestView {
  generation: string;
  total: number;
  prompts: number[];
  failures: number[];
  compactions: number[];
  agents: number[];
}

/** One line of a search in a conversation, which goes on while it is made. */
export type RowFoundView =
  | {
      kind: "found";
      row: number;
      uuid: string | null;
      snippet: string;
      highlights: { start: number; end: number }[];
    }
  | { kind: "progress" | "done"; searchedRows: number; totalRows: number; count: number };

/** A sub-agent of a session. */
export interface SessionAgentView {
  agentId: string;
  agentType: string | null;
  description: string | null;
  toolUseId: string | null;
  /** The entry that launched it. */
  launchedBy: string | null;
  hasTranscript: boolean;
  /** Its task, when Holdfast runs it. */
  taskId: string | null;
}
