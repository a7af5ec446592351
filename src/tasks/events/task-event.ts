import type { UUID } from "node:crypto";
import type { NeededInput } from "../kinds/agent/agent-progress.ts";

/** In the shapes of the Agent SDK's task messages, so that a harness handles ours like the client's. */
export type TaskEvent = TaskStarted | TaskProgressed | TaskUpdated | TaskNotified;

export type TaskEventListener = (event: TaskEvent) => void | Promise<void>;

interface TaskMessage {
  type: "system";
  task_id: string;
  /** The same whenever this event is told. */
  uuid: UUID;
  /** The session that launched the task; empty when there is none. */
  session_id: string;
  /** For `events({ after })`: everything up to this event has been told. */
  cursor: string;
}

export interface TaskStarted extends TaskMessage {
  subtype: "task_started";
  tool_use_id?: string;
  task_type: string;
  description: string;
  /** Of agents, from here on. */
  subagent_type?: string;
  /** Its beginning. */
  prompt?: string;
  spawn_depth?: number;
  parent_task_id?: string;
}

/** An agent is further than it was; a few times a second at most. */
export interface TaskProgressed extends TaskMessage {
  subtype: "task_progress";
  tool_use_id?: string;
  description: string;
  subagent_type?: string;
  usage: TaskUsage;
  last_tool_name?: string;
  summary?: string;
}

/** `paused` is an agent that waits for an answer; `needs_input` says to what. */
export interface TaskUpdated extends TaskMessage {
  subtype: "task_updated";
  patch: {
    status?: "running" | "paused" | "completed" | "failed" | "killed";
    end_time?: number;
    error?: string;
    is_backgrounded?: boolean;
    needs_input?: NeededInput;
  };
}

export interface TaskNotified extends TaskMessage {
  subtype: "task_notification";
  tool_use_id?: string;
  status: "completed" | "failed" | "stopped";
  output_file: string;
  summary: string;
  usage?: TaskUsage;
}

export interface TaskUsage {
  total_tokens: number;
  tool_uses: number;
  duration_ms: number;
}
