import type { Clock } from "../lib/clock.ts";
import type { AgentOutput } from "./kinds/agent/agent-output.ts";
import type { ShellOutput, TaskOutputOptions } from "./output/task-output.ts";
import type { StopOptions } from "./supervise/stop-task.ts";
import type { Task } from "./record/task.ts";
import type { EndedState } from "./record/task-state.ts";

/** What a kind of task knows how to do. A new kind is one folder below kinds/. */
export interface TaskKindHandler {
  getOutput(task: Task, options: TaskOutputOptions): Promise<TaskOutput>;
  stop(task: Task, options: StopOptions): Promise<EndedState>;
  /** Gives text to a running task. Throws `no_stdin` when it takes none. */
  send(task: Task, text: string, options: { clock: Clock }): Promise<void>;
}

/** What TaskOutput gives, by kind: one of a shell has a `shellId`, one of an agent an `agentId`. */
export type TaskOutput = ShellOutput | AgentOutput;
