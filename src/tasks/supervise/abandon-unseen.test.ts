import fs from "node:fs";
import { expect, test } from "vitest";
import { markedProcesses, taskWorld } from "../../../test/support/task-world.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { livenessOf } from "../../lib/process-identity.ts";
import { readSupervisor } from "../record/read-state.ts";
import { readTask } from "../record/task.ts";

test("abandonUnseen() has the supervisor end a task that was given up where nobody sees it", async () => {
  await using world = taskWorld();
  const { record, files } = await world.tasks.start({ command: "sleep 300", cwd: world.cwd });
  await waitFor(() => fs.existsSync(files.beat) && markedProcesses(record.id).length > 0);
  // As somebody in another container sees it.
  const launcher = { ...record.launcher, pidNamespace: "pid:[1]" };
  fs.writeFileSync(files.record, JSON.stringify({ ...record, launcher }));
  const task = readTask(files)!;
  const lastBeatAt = fs.statSync(files.beat).mtime.toISOString();
  expect(task.state).toMatchObject({ status: "running", unseen: { lastBeatAt } });
  const given = await world.tasks.stop(task, { by: "test", isForced: true });
  expect(given.status).toBe("lost");
  const supervisor = readSupervisor(files, record)!;
  await waitFor(() => markedProcesses(record.id).length === 0 && livenessOf(supervisor) === "dead");
  expect(await world.tasks.list()).toEqual([]);
  expect((await world.tasks.refresh(task)).state).toEqual(given);
});
