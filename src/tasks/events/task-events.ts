import fs from "node:fs";
import path from "node:path";
import { taskCheckMs } from "../../format/limits.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { watchChanges } from "../../lib/watch-changes.ts";
import { agentStart, progressEvents, usageOf } from "../kinds/agent/agent-events.ts";
import { readProgress, type AgentProgress } from "../kinds/agent/agent-progress.ts";
import { readResult } from "../kinds/agent/agent-result.ts";
import { noticeOf } from "../notices/notices.ts";
import { readEnding } from "../record/read-state.ts";
import { filesOfName, listRunning } from "../record/running-tasks.ts";
import { isFinished, readTask, refreshed, type FinishedTask, type Task } from "../record/task.ts";
import type { TaskEvent } from "./task-event.ts";

/**
 * Starts, progress and ends of all tasks of a home, whichever process causes them, until the signal. Tasks that run when
 * it begins are announced as started, those that ended before are not mentioned; every start has exactly one end. What an
 * update costs does not depend on how many tasks there are. Where changes cannot be watched, a task that starts and ends
 * between two checks is not seen.
 */
export async function* watchTasks(
  home: string,
  { signal }: { signal: AbortSignal },
): AsyncGenerator<TaskEvent> {
  const dir = ensurePrivateDir(holdfastPaths(home).runningDir);
  const changes = watchChanges([dir], { checkMs: taskCheckMs, signal });
  const running = new Map<string, WatchedTask>();
  const over = new Set<string>();
  for (const { endingDraft, ending } of listRunning(home))
    if (fs.existsSync(ending)) over.add(path.basename(endingDraft));
  try {
    for (let why = "check"; why !== "aborted"; why = await changes.next()) {
      const names =
        why === "check" ? [...changes.names, ...fs.readdirSync(dir), ...running.keys()] : changes.names;
      for (const name of names) {
        const files = over.has(name) ? undefined : filesOfName(home, name);
        if (!files) continue;
        const known = running.get(name);
        if (known) yield* whatChanged(known);
        // Only the timed check also asks whether the supervisors of running tasks still live.
        if (why !== "check" && known && !readEnding(files)) continue;
        // One that was removed meanwhile has no record any more, but its start was told.
        const task = readTask(files) ?? (known && refreshed(known.task));
        if (!task) continue;
        if (!known) {
          const watched: WatchedTask = { task, progress: undefined };
          running.set(name, watched);
          yield startedEvent(task);
          yield* whatChanged(watched);
        }
        if (!isFinished(task)) continue;
        running.delete(name);
        over.add(name);
        yield* endEvents(task);
      }
    }
  } finally {
    changes.close();
  }
}

/** A running task, and its progress as it was last told. */
interface WatchedTask {
  task: Task;
  progress: AgentProgress | undefined;
}

function* whatChanged(watched: WatchedTask): Generator<TaskEvent> {
  const { record, files } = watched.task;
  const now = record.agent && readProgress(files);
  if (!now) return;
  yield* progressEvents(record, { before: watched.progress, now });
  watched.progress = now;
}

function startedEvent({ record }: Task): TaskEvent {
  return {
    type: "system",
    subtype: "task_started",
    task_id: record.id,
    ...(record.toolUseId !== undefined && { tool_use_id: record.toolUseId }),
    task_type: record.kind,
    description: record.description,
    ...(record.sessionId !== undefined && { session_id: record.sessionId }),
    ...agentStart(record),
  };
}

function* endEvents(task: FinishedTask): Generator<TaskEvent> {
  const { record, files, state } = task;
  const sdkStatus = { completed: "completed", failed: "failed", stopped: "killed", lost: "failed" } as const;
  const notice = noticeOf(task);
  const result = record.agent && readResult(files);
  yield {
    type: "system",
    subtype: "task_updated",
    task_id: record.id,
    patch: {
      status: sdkStatus[state.status],
      end_time: Date.parse(state.endedAt),
      ...(state.status === "lost" && { error: state.cause }),
    },
  };
  yield {
    type: "system",
    subtype: "task_notification",
    task_id: record.id,
    ...(record.toolUseId !== undefined && { tool_use_id: record.toolUseId }),
    status: state.status === "lost" ? "failed" : state.status,
    output_file: files.output,
    summary: notice.summary,
    ...(result && { usage: usageOf(result) }),
    ...(record.sessionId !== undefined && { session_id: record.sessionId }),
  };
}
