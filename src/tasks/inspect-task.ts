import { readToldNotice } from "./notices/confirm.ts";
import fs from "node:fs";
import { readProgress, type AgentProgress } from "./kinds/agent/agent-progress.ts";
import { readResult, type AgentResult } from "./kinds/agent/agent-result.ts";
import { listedTask, type ListedTask } from "./list/listed-task.ts";
import { outputFileOf, streamsOf, type OutputStream } from "./output/follow-output.ts";
import { readSupervisor } from "./record/read-state.ts";
import { isRetained } from "./record/task-files.ts";
import type { Task } from "./record/task.ts";
import { isEnded } from "./record/task-state.ts";
import { waitForEnd } from "./record/wait-task.ts";

/** What is known about a task in addition to its record and its state. */
export interface TaskDetails {
  listed: ListedTask;
  /** What became of the news of its ending; undefined while it has none. */
  notice: NoticeFate | undefined;
  /** No prune removes it. */
  isRetained: boolean;
  /** The files of its streams. */
  outputs: Partial<Record<OutputStream, OutputFileFacts>>;
  recordFile: string;
  /** Of an agent. */
  progress: AgentProgress | undefined;
  /** Of an agent that has ended. */
  result: AgentResult | undefined;
}

export type NoticeFate =
  | { status: "consumed"; by: string; at: string }
  | { status: "muted" }
  | { status: "queued" };

export interface OutputFileFacts {
  path: string;
  /** Undefined when somebody removed it. */
  bytes: number | undefined;
  /** When something was last written to it. */
  changedAt: string | undefined;
}

export function inspectTask(task: Task): TaskDetails {
  const { files } = task;
  const outputs = streamsOf(task).map((stream) => {
    const path = outputFileOf(task, stream);
    const stat = fs.statSync(path, { throwIfNoEntry: false });
    return [stream, { path, bytes: stat?.size, changedAt: stat?.mtime.toISOString() }] as const;
  });
  return {
    listed: listedTask(task),
    notice: noticeFate(task),
    isRetained: isRetained(files),
    outputs: Object.fromEntries(outputs),
    recordFile: files.record,
    progress: task.record.agent && readProgress(files),
    result: task.record.agent && readResult(files),
  };
}

function noticeFate({ record, files, state }: Task): NoticeFate | undefined {
  const consumed = readToldNotice(files);
  if (consumed) return { status: "consumed", by: consumed.by, at: consumed.at };
  if (record.muted || fs.existsSync(files.noticeMuted)) return { status: "muted" };
  return isEnded(state) ? { status: "queued" } : undefined;
}

const PID_WAIT_MS = 1000;

/**
 * The pid of the supervisor, also of a command that has ended since. It names itself in its first moments, so this waits
 * a little. Undefined if it never did.
 */
export async function supervisorPid({ files, record, ...task }: Task): Promise<number | undefined> {
  const look = (): number | undefined => readSupervisor(files, record)?.pid;
  for (const giveUpAt = performance.now() + PID_WAIT_MS; look() === undefined;)
    if (performance.now() > giveUpAt || (await waitForEnd({ files, record, ...task }, { timeoutMs: 10 })))
      break;
  return look();
}
