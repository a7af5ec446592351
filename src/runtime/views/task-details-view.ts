import type { NoticeFate, TaskDetails } from "../../tasks/inspect-task.ts";
import type { Task } from "../../tasks/record/task.ts";
import type { ShellSettings } from "../../tasks/record/task-record.ts";
import { taskView, type TaskView } from "./task-view.ts";

/** A task with everything that is known of it, as it leaves the process. */
export interface TaskDetailsView extends TaskView {
  toolUseId: string | null;
  /** Null when it is merged with stdout. */
  stderrFile: string | null;
  recordFile: string;
  settings: ShellSettings;
  launcher: { pid: number; host: string };
  notice: NoticeFate | null;
  isRetained: boolean;
}

export function taskDetailsView(
  task: Task,
  { outputs, recordFile, notice, isRetained }: TaskDetails,
): TaskDetailsView {
  const { toolUseId, shell, launcher } = task.record;
  return {
    ...taskView(task),
    toolUseId: toolUseId ?? null,
    stderrFile: outputs.stderr?.path ?? null,
    recordFile,
    settings: shell,
    launcher: { pid: launcher.pid, host: launcher.host },
    notice: notice ?? null,
    isRetained,
  };
}
