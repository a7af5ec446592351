import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { newTaskId, type NewTaskIdKind } from "../../format/ids.ts";
import { holdfastPaths, projectKey as projectKeyOf } from "../../format/paths.ts";
import { taskFiles, type TaskFiles } from "./task-files.ts";

/** The files of a new task, by an id that no task of the project has. Nothing is on the disk yet. */
export function newTaskFiles(home: string, { cwd, kind }: { cwd: string; kind: NewTaskIdKind }): TaskFiles {
  const projectKey = projectKeyOf(cwd);
  const dir = holdfastPaths(home).tasksDir(projectKey);
  const id = newTaskId(kind, randomBytes, (candidate) => fs.existsSync(`${dir}/${candidate}.json`));
  return taskFiles(home, { projectKey, id });
}
