import { taskTailSearchedBytes } from "./limits.ts";
import { isSafeName } from "../format/paths.ts";
import type { SearchedTask, SearchedTasks } from "../search/searched-task.ts";
import type { IndexOptions } from "../store/index/derived-index.ts";
import { listTasks, listUnwordedTasks } from "../tasks/list/list-tasks.ts";
import { readTail } from "../tasks/output/read-output.ts";
import { readTask, type Task } from "../tasks/record/task.ts";
import { isTaskName, taskFiles } from "../tasks/record/task-files.ts";

/** The tasks of a home as search sees them. */
export function searchedTasks(home: string, options: IndexOptions = {}): SearchedTasks {
  return {
    all: () => listTasks(home, { all: true }, options).map(searchedTask),
    unworded: () => listUnwordedTasks(home, options).map(searchedTask),
    read: (found) =>
      found
        .filter(([project, id]) => isSafeName(project) && isTaskName(id))
        .flatMap(([project, id]) => readTask(taskFiles(home, { projectKey: project, id })) ?? [])
        .map(searchedTask),
  };
}

/** The output of an agent is its transcript, which is searched itself. */
function searchedTask({ record, files, state }: Task): SearchedTask {
  const outputs = record.agent ? [] : [files.output, files.stderr];
  return {
    taskId: record.id,
    project: files.projectKey,
    cwd: record.cwd,
    sessionId: record.sessionId,
    startedAt: record.startedAt,
    endedAt: "endedAt" in state ? state.endedAt : undefined,
    blocks: () => [
      record.name ?? "",
      record.description,
      record.command,
      ...outputs.map((file) => readTail(file, { bytesMax: taskTailSearchedBytes }).text),
    ],
  };
}
