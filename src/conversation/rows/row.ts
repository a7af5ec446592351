import type { ConversationItem, ToolItem } from "../conversation-item.ts";
import type { QuestionLine } from "../question-lines.ts";

/** An image by its address, so that no JSON holds it. */
export interface RowImage {
  url: string;
  mediaType: string;
}

/** A text that may be too long for a page: its beginning, and where all of it is. */
export interface LongText {
  text: string;
  bytes: number;
  /** Null when it is whole. */
  url: string | null;
}

export type RowItem =
  | (Exclude<ConversationItem, { kind: "tool" | "prompt" | "answer" | "thinking" | "summary" }> & RowExtra)
  | ({
      kind: "prompt";
      said: LongText;
      isQueued: boolean;
      documents: readonly string[];
      at: string | null;
    } & RowExtra)
  | ({ kind: "answer" | "thinking" | "summary"; said: LongText; at: string | null } & RowExtra)
  | ({ kind: "tool"; at: string | null } & RowTool & RowExtra);

export interface RowExtra {
  images?: RowImage[];
  /** The model took it back, and answered anew. */
  isRetracted?: true;
  /** Its `text` is only the beginning: how long all of it is, and where. */
  whole?: { bytes: number; url: string };
}

export interface RowTool extends Pick<ToolItem, "name" | "detail" | "isPath" | "agent"> {
  toolUseId: string | null;
  /** What it was given: its command, difference, content or arguments. Cut after some hundred lines. */
  lines: QuestionLine[];
  isCut: boolean;
  /** Null while there is none. */
  result: RowResult | null;
}

export interface RowResult {
  said: LongText;
  isError: boolean;
  images: RowImage[];
  at: string | null;
  /** The background task that goes on with it. */
  backgroundTaskId: string | null;
}

export interface Row {
  /** Null when it was read from the end, before the rows were counted. */
  row: number | null;
  uuid: string | null;
  /** Of its line in the transcript; null for what is not in it yet. */
  offset: number | null;
  /** None for an entry that shows nothing, such as an empty thought. */
  items: RowItem[];
}

export interface RowWindow {
  generation: string | null;
  /** Of the whole conversation; null when it was read from the end, before the rows were counted. */
  total: number | null;
  /** The number of the first one. */
  from: number | null;
  rows: Row[];
}

/** For a minimap and for jumps: the numbers of rows, in order. */
export interface RowDigest {
  generation: string;
  total: number;
  prompts: number[];
  failures: number[];
  compactions: number[];
  agents: number[];
}

/** One line of a search in a conversation, which goes on while it is made. The count is of rows. */
export type RowFound =
  | {
      kind: "found";
      row: number;
      uuid: string | null;
      snippet: string;
      highlights: { start: number; end: number }[];
    }
  | { kind: "progress" | "done"; searchedRows: number; totalRows: number; count: number };
