import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { taskView } from "../../src/runtime/views/task-view.ts";
import { openTestTasks } from "../support/open-test-tasks.ts";
import { tempDir } from "../support/temp-dir.ts";

// The record of a task that `restart` started, as the first version that could wrote it.
const frozen = fileURLToPath(new URL("data/restart-v1", import.meta.url));

test("a task that was restarted names the one before it", async () => {
  const home = path.join(tempDir(), "home");
  fs.cpSync(frozen, home, { recursive: true });
  const { tasks } = openTestTasks({ home });
  const [task] = await tasks.list({ all: true });
  expect(taskView(task!)).toMatchObject({ id: "b0again00", status: "completed", restarts: "b0before0" });
});
