import type { ConversationHeader } from "../../conversation/rows/conversation-header.ts";
import type { Row, RowDigest, RowFound, RowWindow } from "../../conversation/rows/row.ts";
import type { SessionView } from "./session-view.ts";

/** `whole` goes on across compactions; `context` is what the model still knows. */
export type ConversationWindow = "whole" | "context";

/**
 * A conversation as a list of rows, which are numbered from 0 in its order. A row is an entry of the transcript with its
 * items; the results of its tools are in it, so the entries that hold only those have no row.
 */
export interface ConversationView extends ConversationHeader {
  session: SessionView;
  /** The transcript is that of this sub-agent. */
  agentId: string | null;
  view: ConversationWindow;
  /** A process has the session open for writing. */
  isOpen: boolean;
  /** The running tasks of the session: agents among them take messages. */
  tasks: string[];
}

export type RowView = Row;
export type RowsView = RowWindow;
/** For a minimap and for jumps. */
export type DigestView = RowDigest;
/** One line of a search in a conversation, which goes on while it is made. */
export type RowFoundView = RowFound;

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
