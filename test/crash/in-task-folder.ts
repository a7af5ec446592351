import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openTestTasks } from "../support/open-test-tasks.ts";

/**
 * Uses a new folder whose `home` has tasks, and removes it. A round that throws must not leave what it started: tasks
 * outlive whoever started them.
 */
export async function inTaskFolder<T>(use: (dir: string) => Promise<T>): Promise<T> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-kill-"));
  try {
    return await use(dir);
  } finally {
    const home = path.join(dir, "home");
    const { tasks } = openTestTasks({ home });
    for (const task of await tasks.list()) await tasks.stop(task, { by: "the loop", graceMs: 0 });
    fs.rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}
