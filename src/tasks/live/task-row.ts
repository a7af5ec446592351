import fs from "node:fs";
import { rowCommandLengthMax } from "../limits.ts";
import { readProgress } from "../kinds/agent/agent-progress.ts";
import { readResult } from "../kinds/agent/agent-result.ts";
import { listedTask, type ListedTask } from "../list/listed-task.ts";
import { outputFileOf, streamsOf } from "../output/follow-output.ts";
import type { Task } from "../record/task.ts";
import { isRetained, type TaskFiles } from "../record/task-files.ts";
import type { TaskKind } from "../record/task-record.ts";
import { isEnded } from "../record/task-state.ts";

/** A task with everything that a list of tasks is made, filtered and joined by. What changes after its ending comes last. */
export interface TaskRow extends ListedTask, RowFacts {
  projectKey: string;
  /** What became of the news of its ending; absent while it has none. */
  notice?: "queued" | "consumed" | "muted";
  isRetained: boolean;
}

/** What of an ended task is final, in addition to how it is listed. */
export interface RowFacts {
  kind: TaskKind;
  /** The command, or the beginning of the prompt. Cut. */
  command: string;
  sessionId?: string;
  /** Of all streams; of an agent 0, because its output is its conversation. */
  outputBytes: number;
  restarts?: string;
  /** By which the same work is recognised. */
  fingerprint?: string;
  agent?: {
    type: string;
    model?: string;
    tokens: number;
    toolUses: number;
    costUsd?: number;
    parentTaskId?: string;
    continues?: string;
  };
}

export function taskRow(task: Task): TaskRow {
  return joinRow(task.files, { listed: listedTask(task), facts: rowFacts(task), isMuted: task.record.muted });
}

/** A row of what is known of an ended task, and what its files say of its notice now. */
export function joinRow(
  files: TaskFiles,
  { listed, facts, isMuted }: { listed: ListedTask; facts: RowFacts; isMuted?: boolean | undefined },
): TaskRow {
  const notice = isEnded(listed.state) ? noticeOf(files, isMuted) : undefined;
  return {
    ...listed,
    ...facts,
    projectKey: files.projectKey,
    ...(notice && { notice }),
    isRetained: isRetained(files),
  };
}

export function rowFacts(task: Task): RowFacts {
  const { kind, command, sessionId, restarts, work, agent } = task.record;
  return {
    kind,
    command: (agent?.prompt ?? command).slice(0, rowCommandLengthMax),
    ...(sessionId !== undefined && { sessionId }),
    outputBytes: agent ? 0 : bytesOf(task),
    ...(restarts !== undefined && { restarts }),
    ...(work?.fingerprint && { fingerprint: work.fingerprint }),
    ...(agent && { agent: agentFacts(task, agent) }),
  };
}

export function noticeOf(
  { noticeConsumed, noticeMuted }: TaskFiles,
  isMuted = false,
): "queued" | "consumed" | "muted" {
  if (fs.existsSync(noticeConsumed)) return "consumed";
  return isMuted || fs.existsSync(noticeMuted) ? "muted" : "queued";
}

function bytesOf(task: Task): number {
  const sizes = streamsOf(task).map(
    (stream) => fs.statSync(outputFileOf(task, stream), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

// Of one that has ended its result has the last word; one that was killed has only its progress.
function agentFacts(
  { files, state }: Task,
  { type, model, parentTaskId, continues }: NonNullable<Task["record"]["agent"]>,
): NonNullable<RowFacts["agent"]> {
  const result = isEnded(state) ? readResult(files) : undefined;
  const progress = result ? undefined : readProgress(files);
  const costUsd = result?.costUsd ?? progress?.costUsd;
  return {
    type,
    ...(model !== undefined && { model }),
    tokens: result?.totalTokens ?? progress?.tokens ?? 0,
    toolUses: result?.totalToolUseCount ?? progress?.toolUses ?? 0,
    ...(costUsd !== undefined && { costUsd }),
    ...(parentTaskId !== undefined && { parentTaskId }),
    ...(continues !== undefined && { continues }),
  };
}
