import type { Clock } from "../lib/clock.ts";
import type { Task } from "../tasks/task.ts";
import { appendManifest } from "./append-manifest.ts";
import { fingerprint } from "./fingerprint.ts";
import { launchTexts, type LaunchLine } from "./manifest-line.ts";

/**
 * Writes the launch of a task of Holdfast into the manifests. The task itself is safe without it: its record is on the
 * disk, so a manifest that cannot be written is no reason to fail a launch.
 */
export async function recordLaunch(
  task: Task,
  { home, clock }: { home: string; clock: Clock },
): Promise<void> {
  try {
    await appendManifest({ home, projectDir: task.record.cwd, now: clock.now() }, [launchOfTask(task)]);
  } catch {
    /* see above */
  }
}

export function launchOfTask({ record, files }: Pick<Task, "record" | "files">): LaunchLine {
  return {
    timestamp: record.startedAt,
    agent_id: record.id,
    subagent_type: record.kind === "local_bash" ? "shell" : record.kind,
    ...launchTexts({ description: record.description, prompt: record.command }),
    output_file: files.output,
    session_id: record.sessionId ?? "",
    cwd: record.cwd,
    status: "launched",
    kind: record.kind,
    fingerprint: fingerprint({ kind: record.kind, text: record.command, cwd: record.cwd }),
    source: "holdfast",
    ...(record.toolUseId !== undefined && { tool_use_id: record.toolUseId }),
  };
}
