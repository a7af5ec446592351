import type { Clock } from "../lib/clock.ts";
import { findClientProcess } from "../store/write/client-processes.ts";
import type { Task } from "../tasks/record/task.ts";
import type { TaskRecord } from "../tasks/record/task-record.ts";
import { appendManifest } from "./append-manifest.ts";
import { launchTexts, type LaunchLine } from "./manifest-line.ts";

export interface RecordLaunchOptions {
  home: string;
  configDir: string;
  clock: Clock;
}

/**
 * Writes the launch of a task of Holdfast into the manifests: of the folder it runs in, and of the project whose session
 * launched it. The task itself is safe without it: its record is on the disk, so a manifest that cannot be written is no
 * reason to fail a launch.
 */
export async function recordLaunch(
  task: Task,
  { home, configDir, clock }: RecordLaunchOptions,
): Promise<void> {
  const { cwd, sessionId } = task.record;
  const session = sessionId === undefined ? undefined : findClientProcess(configDir, sessionId);
  try {
    const projectDirs = session?.cwd === undefined ? [cwd] : [cwd, session.cwd];
    await appendManifest({ home, projectDirs, now: clock.now() }, [launchOfTask(task)]);
  } catch {
    /* see above */
  }
}

export function launchOfTask({ record, files }: Pick<Task, "record" | "files">): LaunchLine {
  return {
    timestamp: record.startedAt,
    agent_id: record.id,
    subagent_type: record.kind === "local_bash" ? "shell" : (record.agent?.type ?? ""),
    ...launchTexts({ description: record.description, prompt: workOf(record) }),
    output_file: files.output,
    session_id: record.sessionId ?? "",
    cwd: record.cwd,
    status: "launched",
    kind: record.kind,
    // An older record has only the beginning of a prompt.
    fingerprint: record.work?.fingerprint ?? "",
    ...(record.work?.branch !== undefined && { branch: record.work.branch }),
    ...(record.agent?.model !== undefined && { model: record.agent.model }),
    machine: record.launcher.host,
    source: "holdfast",
    ...(record.toolUseId !== undefined && { tool_use_id: record.toolUseId }),
  };
}

function workOf({ command, agent }: TaskRecord): string {
  return agent?.prompt ?? command;
}
