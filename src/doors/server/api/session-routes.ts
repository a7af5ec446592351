import type {
  ConversationView,
  ConversationWindow,
  DigestView,
  RowFoundView,
  RowsView,
  SessionAgentView,
} from "../../../runtime/views/conversation-view.ts";
import type { CostView } from "../../../runtime/views/cost-view.ts";
import type { SessionView } from "../../../runtime/views/session-view.ts";
import type { TaskRowView } from "../../../runtime/views/task-row-view.ts";
import type {
  FilesView,
  ProjectView,
  ReviewView,
  SessionsView,
  TodosView,
  TrashedView,
  UndoView,
} from "../../../runtime/views/session-views.ts";
import type { PageQuery } from "./answers.ts";

/** `{id}` is a whole id. Where two projects have it, `project` says which. */
export interface SessionRoutes {
  "GET /api/sessions": { query: SessionQuery; answer: SessionsView };
  "GET /api/projects": { answer: { projects: ProjectView[] } };
  "GET /api/sessions/{id}": { query: TranscriptQuery & ViewQuery; answer: ConversationView };
  /** Numbered rows. `around` is a uuid that the answer has in its middle. */
  "GET /api/sessions/{id}/rows": {
    query: TranscriptQuery & ViewQuery & { from?: number; around?: string; limit?: number };
    answer: RowsView;
  };
  /** The last rows, at once, whatever the size of the transcript: to be shown until the rows are counted. */
  "GET /api/sessions/{id}/end": { query: TranscriptQuery & { limit?: number }; answer: RowsView };
  "GET /api/sessions/{id}/digest": { query: TranscriptQuery & ViewQuery; answer: DigestView };
  /** Lines, each a `RowFoundView` (application/x-ndjson). */
  "GET /api/sessions/{id}/find": {
    query: TranscriptQuery & ViewQuery & { q: string; isRegex?: boolean };
    lines: RowFoundView;
  };
  /** The whole of a text that a row has the beginning of (`LongText.url`), as text/plain. */
  "GET /api/sessions/{id}/text/{uuid}/{part}": { query: TranscriptQuery; file: true };
  /** An image of an entry (`RowImage.url`). */
  "GET /api/sessions/{id}/image/{uuid}/{part}": { query: TranscriptQuery; file: true };
  /** The entry as it stands in the transcript. */
  "GET /api/sessions/{id}/entry/{uuid}": {
    query: TranscriptQuery;
    answer: { entry: Record<string, unknown> };
  };
  "GET /api/sessions/{id}/agents": { query: ProjectQuery; answer: { agents: SessionAgentView[] } };
  "GET /api/sessions/{id}/todos": { query: ProjectQuery; answer: { lists: TodosView[]; problems: string[] } };
  "GET /api/sessions/{id}/files": { query: ProjectQuery; answer: FilesView };
  "GET /api/sessions/{id}/diff": {
    query: ProjectQuery & { from?: string; to?: string; path?: string };
    answer: ReviewView;
  };
  "GET /api/sessions/{id}/usage": { query: TranscriptQuery; answer: CostView };
  /** The conversation as a file, with secrets redacted. */
  "GET /api/sessions/{id}/export": {
    query: ProjectQuery & { format?: "md" | "html" | "json"; leaf?: string; withSecrets?: boolean };
    file: true;
  };

  "POST /api/sessions/{id}/fork": {
    query: ProjectQuery;
    body: { at?: string; title?: string };
    answer: { session: SessionView; entries: number; command: string };
  };
  "POST /api/sessions/{id}/rename": {
    query: ProjectQuery;
    body: { title: string };
    answer: { session: SessionView };
  };
  "POST /api/sessions/{id}/tag": {
    query: ProjectQuery;
    body: { tag: string | null };
    answer: { session: SessionView };
  };
  "POST /api/sessions/{id}/move": {
    query: ProjectQuery;
    body: { cwd: string };
    answer: { session: SessionView };
  };
  "POST /api/sessions/{id}/trash": {
    query: ProjectQuery;
    body: Record<string, never>;
    answer: { trashed: TrashedView };
  };
  "POST /api/sessions/{id}/archive": {
    query: ProjectQuery;
    body: Record<string, never>;
    answer: { session: SessionView };
  };
  /** From the trash or the archive. */
  "POST /api/sessions/{id}/restore": {
    body: { from: "trash" | "archive" };
    answer: { session: SessionView };
  };
  "GET /api/trash": { answer: { trash: TrashedView[] } };
  /** Asks something in the background from where the session is: prompt and answer become part of it. */
  "POST /api/sessions/{id}/ask": {
    query: ProjectQuery;
    body: { prompt: string; agent?: string; model?: string };
    answer: { task: TaskRowView };
  };
  /** Puts files back to what they were before a prompt. With `dryRun` it only says what it would do. */
  "POST /api/sessions/{id}/undo": {
    query: ProjectQuery;
    body: { to?: string; dryRun: boolean };
    answer: UndoView;
  };

  /** What changed in the folder of an agent or a command: its worktree against where that began. */
  "GET /api/tasks/{id}/diff": { query: { path?: string }; answer: ReviewView };
  /** Comments on a diff go back as one message: to the agent that runs, or as the prompt with which it goes on. */
  "POST /api/tasks/{id}/review": {
    body: ReviewBody;
    answer: { sent: "message" | "continued"; task: TaskRowView };
  };
}

export interface ProjectQuery {
  /** The project's folder name. */
  project?: string;
}

export interface TranscriptQuery extends ProjectQuery {
  /** The transcript of this sub-agent. */
  agent?: string;
}

export interface ViewQuery {
  view?: ConversationWindow;
  /** The newest message of another branch. */
  leaf?: string;
}

export interface SessionQuery extends PageQuery {
  /** A folder: its sessions, and those of the folders inside of it. */
  cwd?: string;
  project?: string;
  tag?: string;
  /** Words in its id, title, first prompt, folder or branch. */
  q?: string;
  archived?: boolean;
}

export interface ReviewBody {
  comments: { path: string; line?: number; side?: "old" | "new"; quote?: string; text: string }[];
  text?: string;
}
