import { watchRedrawMs } from "../../limits.ts";
import type { Tasks } from "../../../../tasks/open-tasks.ts";
import type { Task } from "../../../../tasks/record/task.ts";
import type { ChatTask } from "../state/chat-state.ts";
import { statusText } from "../../tasks/status-text.ts";

export interface BackgroundWatch {
  cwd: string;
  onTasks: (tasks: ChatTask[]) => void;
  /** A task has ended, of any project. */
  onEnded: () => void;
  signal: AbortSignal;
}

/** Tells what runs in the background of a project, now and whenever it changes, until the signal. */
export async function watchBackground(
  tasks: Tasks,
  { cwd, onTasks, onEnded, signal }: BackgroundWatch,
): Promise<void> {
  const tell = async (): Promise<void> => onTasks((await tasks.list({ cwd })).map(chatTask));
  await tell();
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const event of tasks.events({ signal })) {
      // Many may start or end together, and agents tell of their progress all the time.
      timer ??= setTimeout(() => {
        timer = undefined;
        void tell();
      }, watchRedrawMs);
      if (event.subtype === "task_notification") onEnded();
    }
  } finally {
    clearTimeout(timer);
  }
}

function chatTask({ record, state }: Task): ChatTask {
  const needed = state.status === "running" ? state.needsInput : undefined;
  return {
    id: record.id,
    label: record.name ?? record.description,
    status: statusText(state),
    startedAt: record.startedAt,
    needsInput: needed !== undefined,
    ...(needed && { question: needed }),
  };
}
