import {
  readProgress,
  type AgentProgress,
  type NeededInput,
} from "../../tasks/kinds/agent/agent-progress.ts";
import type { AgentTranscript } from "../../tasks/kinds/agent/agent-settings.ts";
import type { Task } from "../../tasks/record/task.ts";
import type { TaskKind } from "../../tasks/record/task-record.ts";
import type { FailureReason, TaskState, TaskStatus } from "../../tasks/record/task-state.ts";
import type { Tasks } from "../../tasks/open-tasks.ts";

/** A task as it leaves the process: what it has not is null, and what other kinds or states have is absent. */
export interface TaskView extends StateView {
  id: string;
  kind: TaskKind;
  name: string | null;
  description: string;
  command: string;
  cwd: string;
  sessionId: string | null;
  startedAt: string;
  outputFile: string;
  /** The task whose command it started once more. */
  restarts?: string;
  /** Of agents, from here on. */
  agentId?: string;
  agentType?: string;
  runner?: string | null;
  model?: string | null;
  prompt?: string;
  transcript?: AgentTranscript;
  /** The task that it went on with. */
  continues?: string | null;
  progress?: AgentProgress | null;
  /** Only of agents that run on the fleet. */
  remote?: RunView;
}

/** Where a task is in its life. The ending of a task has `endedAt`. */
export interface StateView {
  status: TaskStatus;
  endedAt: string | null;
  exitCode: number | null;
  signal: string | null;
  /** Of its supervisor. */
  pid: number | null;
  place?: number;
  survivors?: { exitCode: number; pids: number[] };
  /** It runs where this process cannot look. */
  unseen?: { host: string; lastBeatAt?: string };
  /** The question that it waits with. */
  needsInput?: NeededInput;
  reason?: FailureReason;
  stoppedBy?: string;
  stopReason?: string | null;
  cause?: string;
}

/** A run on the fleet. */
export interface RunView {
  sessionId: string;
  run: number;
  url: string;
}

export function taskView({ record, files, state, outputFile }: Task): TaskView {
  const { agent, remote } = record;
  return {
    id: record.id,
    kind: record.kind,
    name: record.name ?? null,
    description: record.description,
    command: record.command,
    cwd: record.cwd,
    sessionId: record.sessionId ?? null,
    startedAt: record.startedAt,
    ...stateView(state),
    outputFile,
    ...(record.restarts !== undefined && { restarts: record.restarts }),
    ...(agent && {
      agentId: agent.agentId,
      agentType: agent.type,
      runner: agent.runner?.agent ?? agent.runner?.name ?? null,
      model: agent.model ?? null,
      prompt: agent.prompt,
      transcript: agent.transcript,
      continues: agent.continues ?? null,
      progress: readProgress(files) ?? null,
    }),
    ...(remote && { remote: { sessionId: remote.sessionId, run: remote.run, url: remote.url } }),
  };
}

export function stateView(state: TaskState): StateView {
  return {
    status: state.status,
    endedAt: "endedAt" in state ? state.endedAt : null,
    exitCode: "exitCode" in state ? state.exitCode : null,
    signal: "signal" in state ? (state.signal ?? null) : null,
    pid: state.status === "running" ? (state.pid ?? null) : null,
    ...(state.status === "queued" && { place: state.place }),
    ...(state.status === "running" && state.survivors && { survivors: state.survivors }),
    ...(state.status === "running" && state.unseen && { unseen: state.unseen }),
    ...(state.status === "running" && state.needsInput && { needsInput: state.needsInput }),
    ...(state.status === "failed" && { reason: state.reason }),
    ...(state.status === "stopped" && { stoppedBy: state.stoppedBy, stopReason: state.stopReason ?? null }),
    ...(state.status === "lost" && { cause: state.cause }),
  };
}

/** A task that was just started: with a pid, also of a short command. */
export async function startedTaskView(tasks: Tasks, started: Task): Promise<TaskView> {
  const pid = await tasks.pid(started);
  return { ...taskView(await tasks.refresh(started)), pid: pid ?? null };
}
