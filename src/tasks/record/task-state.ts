import type { NeededInput } from "../kinds/agent/agent-progress.ts";

/**
 * Where a task is in its life. Each status carries only what is true in it; a terminal one never changes, because the
 * ending is a file that is created once.
 */
export type TaskState =
  /** It waits for other tasks; `place` 1 is next. */
  { status: "queued"; place: number } | RunningState | EndedState;

export interface RunningState {
  status: "running";
  /** The supervisor's pid; undefined in the moment before it says so. */
  pid?: number;
  /** The command itself has ended with this code, but processes that it started live on. */
  survivors?: { exitCode: number; pids: number[] };
  /** It runs on this host in a place that the one who looks cannot see, and last showed that it lives at this time, if ever. */
  unseen?: { host: string; lastBeatAt?: string };
  /** An agent waits for an answer to this question. */
  needsInput?: NeededInput;
}

export type EndedState =
  | { status: "completed"; endedAt: string; exitCode: 0 }
  | { status: "failed"; endedAt: string; exitCode: number; signal?: string; reason: FailureReason }
  | {
      status: "stopped";
      endedAt: string;
      exitCode: number;
      signal?: string;
      stoppedBy: string;
      stopReason?: string;
    }
  /** Its process is gone and left no ending. */
  | { status: "lost"; endedAt: string; cause: string };

/** The last four are of agents: a limit that was set for the agent, or that it could not go on. */
export type FailureReason = "exit" | "timeout" | "output-limit" | "turns" | "tokens" | "cost" | "agent-error";
export type TaskStatus = TaskState["status"];

export function isEnded(state: TaskState): state is EndedState {
  return state.status !== "running" && state.status !== "queued";
}
