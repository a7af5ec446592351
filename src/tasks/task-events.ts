import fs from "node:fs";
import path from "node:path";
import { taskCheckMs } from "../format/limits.ts";
import { holdfastPaths } from "../format/paths.ts";
import { ensurePrivateDir } from "../lib/private-dir.ts";
import { watchChanges } from "../lib/watch-changes.ts";
import { noticeOf } from "./notices.ts";
import { readEnding } from "./read-state.ts";
import { filesOfRunning, listRunning } from "./running-tasks.ts";
import { readTask, refreshed, type Task } from "./task.ts";
import { isEnded, type EndedState } from "./task-state.ts";

/** In the shapes of the Agent SDK's task messages, so that a harness handles ours like the client's. */
export type TaskEvent =
  | {
      type: "system";
      subtype: "task_started";
      task_id: string;
      tool_use_id?: string;
      task_type: string;
      description: string;
      session_id?: string;
    }
  | {
      type: "system";
      subtype: "task_updated";
      task_id: string;
      patch: { status: "completed" | "failed" | "killed"; end_time: number; error?: string };
    }
  | {
      type: "system";
      subtype: "task_notification";
      task_id: string;
      tool_use_id?: string;
      status: "completed" | "failed" | "stopped";
      output_file: string;
      summary: string;
      session_id?: string;
    };

/**
 * Starts and ends of all tasks of a home, whichever process causes them, until the signal. Tasks that run when it begins
 * are announced as started, those that ended before are not mentioned; every start has exactly one end. What an update
 * costs does not depend on how many tasks there are. Where changes cannot be watched, a task that starts and ends
 * between two checks is not seen.
 */
export async function* watchTasks(
  home: string,
  { signal }: { signal: AbortSignal },
): AsyncGenerator<TaskEvent> {
  const dir = ensurePrivateDir(holdfastPaths(home).runningDir);
  const changes = watchChanges([dir], { checkMs: taskCheckMs, signal });
  const running = new Map<string, Task>();
  const over = new Set<string>();
  for (const { endingDraft, ending } of listRunning(home))
    if (fs.existsSync(ending)) over.add(path.basename(endingDraft));
  try {
    for (let why = "check"; why !== "aborted"; why = await changes.next()) {
      const names =
        why === "check" ? [...changes.names, ...fs.readdirSync(dir), ...running.keys()] : changes.names;
      for (const name of names) {
        const files = over.has(name) ? undefined : filesOfRunning(home, name);
        // Only the timed check also asks whether the supervisors of running tasks still live.
        if (!files || (why !== "check" && running.has(name) && !readEnding(files))) continue;
        const known = running.get(name);
        // One that was removed meanwhile has no record any more, but its start was told.
        const task = readTask(files) ?? (known && refreshed(known));
        if (!task) continue;
        if (!known) {
          running.set(name, task);
          yield startedEvent(task);
        }
        if (!isEnded(task.state)) continue;
        running.delete(name);
        over.add(name);
        yield* endEvents(task as Task & { state: EndedState });
      }
    }
  } finally {
    changes.close();
  }
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
  };
}

function* endEvents(task: Task & { state: EndedState }): Generator<TaskEvent> {
  const { record, files, state } = task;
  const sdkStatus = { completed: "completed", failed: "failed", stopped: "killed", lost: "failed" } as const;
  const notice = noticeOf(task);
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
    ...(record.sessionId !== undefined && { session_id: record.sessionId }),
  };
}
