import type { AttentionCounts } from "../../../runtime/views/now-view.ts";
import type { AnsweredView, QuestionView } from "../../../runtime/views/question-view.ts";
import type { ConversationWindow, RowView } from "../../../runtime/views/conversation-view.ts";
import type { SessionView } from "../../../runtime/views/session-view.ts";
import type { TaskRowView } from "../../../runtime/views/task-row-view.ts";
import type { Done } from "./answers.ts";

/** One stream for a browser: the tab that leads reads it and hands it on. */
export interface EventRoutes {
  /**
   * Server-sent events (text/event-stream), each named by a key of `ServerEvents`, with JSON as data. `Last-Event-ID`, or
   * `after` for a fetch, goes on where an earlier stream ended, also one of a server that was killed: every start and end
   * of a task since then comes once. A comment comes every 15 seconds. A reader that is too slow gets the newest state of
   * everything that changed, and not each step.
   */
  "GET /api/events": { query: { after?: string }; events: ServerEvents };
  /** What this stream is to tell of in detail; replaces what was said before. `stream` is in `hello`. */
  "POST /api/events/{stream}/watch": { body: WatchBody; answer: Done };
}

export interface ServerEvents {
  /** First of all. After `isResumed` false everything that is shown must be asked for again. */
  hello: { stream: string; instance: string; version: string; isResumed: boolean };
  /** The row of a task, new or changed. `is` says what made it come. */
  task: { is: "started" | "changed" | "ended"; row: TaskRowView };
  "task-gone": { id: string };
  counts: AttentionCounts;
  /** An agent asks. */
  asked: { question: QuestionView };
  /** A question was answered, here or elsewhere, or is void because the agent ended (`answered` null). */
  answered: { taskId: string; requestId: string; answered: AnsweredView | null };
  /** Sessions that are new, changed, or gone (by id and project). */
  sessions: { changed: SessionView[]; gone: { sessionId: string; project: string }[] };
  /** More of a watched output. When the reader was slow, `from` is behind what was sent before: what lies between can be read. */
  output: {
    task: string;
    stream: "stdout" | "stderr";
    from: number;
    to: number;
    bytes: number;
    text: string;
  };
  /** More rows of a watched conversation. With another `generation` everything before is void: ask again. */
  rows: {
    session: string;
    project: string | null;
    agent: string | null;
    view: ConversationWindow;
    generation: string;
    total: number;
    /** The changed rows: new ones at the end, and those whose tools have results now. */
    rows: RowView[];
  };
  /** A watched transcript is gone: deleted, moved, or in the archive now. */
  "rows-gone": { session: string; project: string | null; agent: string | null };
  /** Something else is no longer as it was told: ask again if you show it. */
  stale: { what: ("fleet" | "settings" | "trash" | "sessions" | "tasks")[] };
}

export interface WatchBody {
  outputs: { task: string; stream: "stdout" | "stderr"; from: number }[];
  conversations: {
    session: string;
    project?: string;
    agent?: string;
    view: ConversationWindow;
    leaf?: string;
    /** As the header or the last rows had it. */
    generation: string;
    total: number;
  }[];
}
