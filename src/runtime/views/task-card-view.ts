import { isEnded } from "../../tasks/record/task-state.ts";
import type { TaskRow } from "../../tasks/live/task-row.ts";
import type { LedgerEntry } from "../../tasks/notices/read-ledger.ts";
import type { Task } from "../../tasks/record/task.ts";
import type { CostView } from "./cost-view.ts";
import type { OutputStreamView } from "./output-view.ts";
import type { TaskDetailsView } from "./task-details-view.ts";
import type { TaskRowView } from "./task-row-view.ts";

/** Everything that is known about a task. */
export interface TaskCardView {
  row: TaskRowView;
  details: TaskDetailsView;
  streams: OutputStreamView[];
  ending: EndingView | null;
  /** Who was told of its ending, oldest first. */
  ledger: LedgerEntry[];
  launch: LaunchView | null;
  /** What it used, exactly, by model. Null for a command. */
  cost: CostView | null;
  /** The task of which it is the restart or continuation, and those that restarted or continued it. */
  before: string | null;
  after: string[];
  /** Tasks that it launched itself. */
  children: string[];
  /** The same work, running or finished, launched more than once. */
  duplicates: string[];
}

export interface EndingView {
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

export interface LaunchView {
  sessionId: string | null;
  toolUseId: string | null;
  /** The entry with the tool use: the page shows the message. Null when it is not found. */
  uuid: string | null;
  parentTaskId: string | null;
  pid: number;
  host: string;
}

/** How a task ended; null while it has not. */
export function endingView(task: Task, survivors: readonly number[]): EndingView | null {
  const { state, record } = task;
  if (!isEnded(state)) return null;
  const isLost = state.status === "lost";
  const ownProcess = record.agent?.isInProcess ? "the process that ran it" : "its supervisor";
  return {
    status: state.status,
    exitCode: isLost ? null : state.exitCode,
    signal: isLost ? null : ("signal" in state && state.signal) || null,
    reason: state.status === "failed" ? state.reason : null,
    endedAt: state.endedAt,
    durationMs: Math.max(0, Date.parse(state.endedAt) - Date.parse(record.startedAt)),
    writtenBy: isLost ? "a process that found it gone" : ownProcess,
    knownBy: isLost
      ? [state.cause]
      : [
          record.kind === "remote_agent"
            ? "the log of its session on the fleet"
            : "the exit code of its process",
          "no process that it started lives",
          `its ending file, which is written once: ${task.files.id}.end.json`,
        ],
    survivors: [...survivors],
    stoppedBy: state.status === "stopped" ? state.stoppedBy : null,
    stopReason: state.status === "stopped" ? (state.stopReason ?? null) : null,
    cause: isLost ? state.cause : null,
  };
}

/** How a task hangs together with others. */
export function relationsOf(
  { id, restarts, fingerprint, agent }: TaskRow,
  all: readonly TaskRow[],
): Pick<TaskCardView, "before" | "after" | "children" | "duplicates"> {
  const before = restarts ?? agent?.continues ?? null;
  const idsWhere = (isMeant: (row: TaskRow) => boolean): string[] =>
    all.filter((row) => row.id !== id && isMeant(row)).map((row) => row.id);
  const after = idsWhere((row) => (row.restarts ?? row.agent?.continues) === id);
  return {
    before,
    after,
    children: idsWhere((row) => row.agent?.parentTaskId === id),
    // Whoever started it once more did so on purpose.
    duplicates:
      fingerprint === undefined
        ? []
        : idsWhere((row) => row.fingerprint === fingerprint && row.id !== before && !after.includes(row.id)),
  };
}
