import fs from "node:fs";
import { projectKey } from "../../src/format/paths.ts";
import { prepareFolders, taskFiles, type TaskFiles } from "../../src/tasks/record/task-files.ts";
import type { TaskWorld } from "./task-world.ts";

/** The files of so many tasks that seem to run, without the processes. Their ids begin with this letter. */
export function plantRunning(world: TaskWorld, count: number, kind: "a" | "b" = "b"): TaskFiles[] {
  return Array.from({ length: count }, (_, n) => {
    const id = `${kind}fake${String(n).padStart(4, "0")}`;
    const files = taskFiles(world.home, { projectKey: projectKey(world.cwd), id });
    prepareFolders(files);
    fs.writeFileSync(files.record, "{}");
    fs.writeFileSync(files.endingDraft, " ");
    return files;
  });
}
