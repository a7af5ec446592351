import { taskTailSearchedBytes } from "../format/limits.ts";
import type { SearchedTask } from "../search/searched-task.ts";
import { readTail } from "../tasks/output/read-output.ts";
import type { Task } from "../tasks/task.ts";

/** Tasks as search sees them. The output of an agent is its transcript, which is searched itself. */
export function searchedTasks(tasks: readonly Task[]): SearchedTask[] {
  return tasks.map(({ record, files, state }) => ({
    taskId: record.id,
    cwd: record.cwd,
    sessionId: record.sessionId,
    startedAt: record.startedAt,
    endedAt: "endedAt" in state ? state.endedAt : undefined,
    blocks: () => [
      record.name ?? "",
      record.description,
      record.command,
      ...(record.agent
        ? []
        : [files.output, files.stderr].map(
            (file) => readTail(file, { bytesMax: taskTailSearchedBytes }).text,
          )),
    ],
  }));
}
