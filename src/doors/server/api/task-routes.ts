import type { OutputFoundView, OutputWindowView } from "../../../runtime/views/output-view.ts";
import type { ProcessesView } from "../../../runtime/views/process-view.ts";
import type { TaskRowView } from "../../../runtime/views/task-row-view.ts";
import type { TaskCardView } from "../../../runtime/views/task-card-view.ts";
import type { TaskKind } from "../../../tasks/record/task-record.ts";
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
  /** A status, or several with commas. `attention` is what needs you, is unseen or lost. */
  status?: string;
  /** A folder: its tasks, and those of the folders inside of it. Or a project by the name of its folder. */
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

/** With the command line that does the same, for each action that makes sense now. */
export interface TaskCard extends TaskCardView {
  commands: Partial<Record<"attach" | "logs" | "stop" | "restart" | "resume" | "output", string>>;
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
