import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { holdfastPaths } from "../../format/paths.ts";
import { waitFor } from "../../../test/support/index.ts";
import { taskWorld } from "../../../test/support/task-world.ts";
import { listRunning } from "./running-tasks.ts";

test("listRunning() has a task from its launch until it has ended", async () => {
  await using world = taskWorld();
  const running = (): string[] => listRunning(world.home).map(({ id }) => id);
  expect(running()).toEqual([]);
  const task = await world.tasks.start({ command: "sleep 60", cwd: world.cwd });
  expect(running()).toEqual([task.record.id]);
  await world.tasks.stop(task, { by: "test" });
  await waitFor(() => running().length === 0);
});

test("listTasks() forgets what ended or was removed without its supervisor tidying up, and leaves the rest", async () => {
  await using world = taskWorld();
  const { task } = await world.run("true");
  await waitFor(() => listRunning(world.home).length === 0);
  const dir = holdfastPaths(world.home).runningDir;
  const removed = path.join(dir, "-removed.b00000000");
  const foreign = path.join(dir, "README");
  for (const file of [task.files.endingDraft, removed, foreign]) fs.writeFileSync(file, "");
  expect(await world.tasks.list()).toEqual([]);
  expect(fs.readdirSync(dir)).toEqual(["README"]);
  expect(await world.tasks.list({ all: true })).toEqual([await world.tasks.refresh(task)]);
});

test("listTasks() forgets a task that is lost", async () => {
  await using world = taskWorld();
  const task = await world.tasks.start({ command: "sleep 60", cwd: world.cwd });
  const pid = await waitFor(async () => {
    const { state } = await world.tasks.refresh(task);
    return state.status === "running" && state.pid;
  });
  process.kill(-pid, "SIGKILL");
  await waitFor(async () => (await world.tasks.list()).length === 0);
  expect(listRunning(world.home)).toEqual([]);
  expect((await world.tasks.list({ all: true })).map(({ state }) => state.status)).toEqual(["lost"]);
});
