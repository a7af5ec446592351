import type { CostView } from "../../../runtime/views/cost-view.ts";
import type {
  OutputFoundView,
  OutputStreamView,
  OutputWindowView,
} from "../../../runtime/views/output-view.ts";
import type { ProcessesView } from "../../../runtime/views/process-view.ts";
import type { TaskRowView } from "../../../runtime/views/task-row-view.ts";
import type { TaskDetailsView } from "../../../runtime/views/task-details-view.ts";
import type { TaskKind } from "../../../tasks/record/task-record.ts";
import type { TaskStatus } from "../../../tasks/record/task-state.ts";
import type { Done, PageQuery } from "./answers.ts";

/** `{id}` is a whole id. */
export interface TaskRoutes {
  "GET /api/tasks": { query: TaskQuery; answer: TaskPage };
  "GET /api/tasks/{id}": { answer: TaskCard };
  "GET /api/tasks/{id}/processes": { answer: ProcessesView };
  "GET /api/tasks/{id}/output": { query: OutputQuery; answer: OutputWindowView };
  /** A stream of lines, each an `OutputFoundView` (application/x-ndjson). Given up by closing it. */
  "GET /api/tasks/{id}/output/find": { query: FindOutputQuery; lines: OutputFoundView };
  /** The bytes of one stream, as a file. Takes a `Range`. */
  "GET /api/tasks/{id}/output/file": { query: { stream?: "stdout" | "stderr" }; file: true };

  "POST /api/tasks/{id}/stop": { body: { force?: boolean; reason?: string }; answer: { task: TaskRowView } };
  "POST /api/tasks/{id}/restart": { body: Record<string, never>; answer: { task: TaskRowView } };
  /** Input for a command (with a newline, if it is to have one), or a message to an agent. */
  "POST /api/tasks/{id}/send": { body: { text: string }; answer: Done };
  /** An ended agent goes on with its conversation, as a new task. */
  "POST /api/tasks/{id}/continue": {
    body: { prompt?: string; agent?: string; model?: string };
    answer: { task: TaskRowView };
  };
  "POST /api/tasks/{id}/retain": { body: { isRetained: boolean }; answer: { task: TaskRowView } };
  /** Its ending was seen: nobody else is told. */
  "POST /api/tasks/{id}/seen": { body: Record<string, never>; answer: { task: TaskRowView } };
  "POST /api/tasks/{id}/mute": { body: Record<string, never>; answer: { task: TaskRowView } };
  "POST /api/tasks/{id}/remove": { body: Record<string, never>; answer: Done };
  /** Of an agent on the fleet: ends it there and brings its transcript and its folder home. */
  "POST /api/tasks/{id}/teleport": {
    body: { branch?: string; worktree?: string };
    answer: {
      task: TaskRowView;
      folder: string | null;
      branch: string | null;
      missing: string[];
      isUnfinished: boolean;
    };
  };
}

export interface TaskQuery extends PageQuery {
  /** Several with commas. `attention` is what needs you, is unseen or lost. */
  status?: TaskStatus | "attention";
  project?: string;
  kind?: TaskKind;
  session?: string;
  /** Words in its id, name, description, folder or last line. */
  q?: string;
}

export interface TaskPage {
  tasks: TaskRowView[];
  from: number;
  /** Of all that pass the filter. */
  total: number;
}

/** Everything that is known about a task. */
export interface TaskCard {
  row: TaskRowView;
  details: TaskDetailsView;
  streams: OutputStreamView[];
  ending: EndingCard | null;
  /** Who was told of its ending, oldest first. */
  ledger: LedgerEntry[];
  launch: LaunchedBy | null;
  /** What it used, exactly, by model. Null for a command. */
  cost: CostView | null;
  /** The task of which it is the restart or continuation, and those that restarted or continued it. */
  before: string | null;
  after: string[];
  /** Tasks that it launched itself. */
  children: string[];
  /** The same work, running or finished, launched more than once. */
  duplicates: string[];
  /** The command line that does the same, for each action that makes sense now. */
  commands: Partial<Record<"attach" | "logs" | "stop" | "restart" | "resume" | "output", string>>;
}

export interface EndingCard {
  status: "completed" | "failed" | "stopped" | "lost";
  exitCode: number | null;
  signal: string | null;
  reason: string | null;
  endedAt: string;
  durationMs: number;
  /** Who wrote the ending: its supervisor, a process that found it gone, whoever gave it up. */
  writtenBy: string;
  /** How that is known. */
  knownBy: string[];
  /** Processes of it that still live. */
  survivors: number[];
  stoppedBy: string | null;
  stopReason: string | null;
  cause: string | null;
}

export interface LedgerEntry {
  /** `queued` by the ending itself, `offered` to one reader, `consumed` by it, or `muted`. */
  state: "queued" | "offered" | "consumed" | "muted";
  at: string | null;
  by: string | null;
  /** Another session was told, because the owner was gone. */
  isStandIn: boolean;
}

export interface LaunchedBy {
  sessionId: string | null;
  toolUseId: string | null;
  /** The entry with the tool use: the page shows the message. Null when it is not found. */
  uuid: string | null;
  parentTaskId: string | null;
  pid: number;
  host: string;
}

export interface OutputQuery {
  stream?: "stdout" | "stderr";
  /** The byte to begin at. Without `from` and `end`, the last bytes. */
  from?: number;
  /** The byte to end before: reads backwards. */
  end?: number;
  /** At most 262,144; default 65,536. */
  bytes?: number;
}

export interface FindOutputQuery {
  stream?: "stdout" | "stderr";
  q: string;
  isRegex?: boolean;
  isCaseSensitive?: boolean;
  /** Offsets that are named; default 1,000, at most 10,000. The count is of all. */
  offsetsMax?: number;
}
