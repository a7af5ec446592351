import fs from "node:fs";
import path from "node:path";
import { holdfastPaths } from "../../format/paths.ts";
import { codeOf } from "../../lib/errors.ts";
import { namesIn } from "../../lib/names-in.ts";
import { DerivedIndex } from "../../store/index/derived-index.ts";
import { taskError } from "../errors.ts";
import { EndedTasks } from "../list/ended-tasks.ts";
import { refreshed, type Task } from "../record/task.ts";
import { isEnded, type TaskState } from "../record/task-state.ts";
import type { TaskFiles } from "../record/task-files.ts";
import { listProjectKeys } from "../list/walk-tasks.ts";

/** Removes a task. Throws `task_refused` while it runs. */
export function removeEnded(home: string, task: Task): void {
  const now = refreshed(task);
  if (!isEnded(now.state))
    throw taskError(
      "task_refused",
      `Cannot remove task "${task.record.id}": ${runsText(now.state)}; stop it first`,
    );
  removeTask(home, now);
}

function runsText(state: TaskState): string {
  const unseen = state.status === "running" ? state.unseen : undefined;
  return unseen ? `it runs on "${unseen.host}", as far as can be known from here` : "it runs";
}

/** Removes an ended task, with its row in the index. */
export function removeTask(home: string, { files }: Pick<Task, "files">): void {
  const names = namesIn(path.dirname(files.base));
  removeFiles(
    files,
    names.filter((name) => name.startsWith(`${files.id}.`)),
  );
  forgetTasks(home, [files]);
}

/** Removes a task's files, by their names; the record before the ending, so that it never looks as if it still ran. */
export function removeFiles(files: TaskFiles, names: readonly string[]): void {
  const { endingDraft, ended, noticeOffer, record, ending } = files;
  const all = names.map((name) => path.join(path.dirname(files.base), name));
  const last = new Set([record, ending]);
  // The draft first: a supervisor that has just named the ending may be about to move it to ended/.
  for (const file of [endingDraft, ended, noticeOffer, ...all.filter((each) => !last.has(each)), ...last])
    remove(file);
}

function remove(file: string): void {
  try {
    fs.unlinkSync(file);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    fs.rmSync(file, { recursive: true, force: true });
  }
}

/** A row that cannot be removed does no harm: whoever finds it sees that there is no such task. */
export function forgetTasks(home: string, removed: readonly TaskFiles[]): void {
  const index = new DerivedIndex(holdfastPaths(home).indexDir);
  const ended = new EndedTasks(home, index);
  if (index.bytes > 0) ended.mayWrite(() => removed.forEach((files) => ended.remove(files)));
  ended.close();
}

/** Removes the folders of projects of which nothing is left. A launch that needs one at this moment makes it again. */
export function removeEmptyFolders(home: string): void {
  const paths = holdfastPaths(home);
  for (const key of listProjectKeys(home)) {
    for (const dir of [paths.tasksDir(key), paths.projectDir(key)]) {
      try {
        fs.rmdirSync(dir);
      } catch {
        /* Something is in it. */
      }
    }
  }
}
