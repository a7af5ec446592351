import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { fakeClock } from "../../test/support/fake-clock.ts";
import { taskWorld } from "../../test/support/task-world.ts";
import { waitFor } from "../../test/support/wait-for.ts";

const day = 24 * 60 * 60 * 1000;

describe("pruneTasks()", () => {
  test("removes what ended long ago with all its files, and nothing that runs", async () => {
    const clock = fakeClock(new Date().toISOString());
    await using world = taskWorld({ clock });
    const { task: old } = await world.run("echo old");
    await world.tasks.newOutput(old, { reader: "r" });
    await world.tasks.consumeNotices({ by: "x" });
    const running = await world.tasks.start({ command: "sleep 300", cwd: world.cwd });
    const left = await world.tasks.start({ command: "sleep 300 & :", cwd: world.cwd });
    await waitFor(() => fs.existsSync(left.files.exit));
    const queued = await world.tasks.start({ command: "true", cwd: world.cwd, after: [running.record.id] });
    clock.advance(31 * day);
    const [pruned, ...more] = await world.tasks.prune({ dryRun: true });
    expect(pruned).toMatchObject({ id: old.record.id, description: "echo old", reason: "age" });
    expect(more).toEqual([]);
    expect(world.tasks.find(old.record.id).state.status).toBe("completed");
    expect(await world.tasks.prune({ totalBytesMax: 0 })).toEqual([pruned]);
    const names = fs.readdirSync(path.dirname(old.files.base));
    expect(names.filter((name) => name.includes(old.record.id))).toEqual([]);
    for (const task of [running, left, queued])
      expect(world.tasks.find(task.record.id).state).not.toHaveProperty("endedAt");
  });

  test("removes the oldest until the rest fits", async () => {
    await using world = taskWorld();
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) {
      const { task, state } = await world.run("head -c 100000 /dev/zero");
      ids.push(task.record.id);
      await waitFor(() => Date.now() > Date.parse(state.endedAt) + 2);
    }
    const pruned = await world.tasks.prune({ totalBytesMax: 250_000 });
    expect(pruned.map(({ id, reason }) => ({ id, reason }))).toEqual([
      { id: ids[0], reason: "quota" },
      { id: ids[1], reason: "quota" },
    ]);
    expect(world.tasks.list({ all: true })).toHaveLength(2);
  });

  test("removes what a launch left that was cut off before its record was whole, once it is old", async () => {
    const clock = fakeClock(new Date().toISOString());
    await using world = taskWorld({ clock });
    const { task } = await world.run("true");
    const cutOff = path.join(path.dirname(task.files.base), "bcutoff00");
    fs.writeFileSync(`${cutOff}.json`, '{"schemaVersion":1,"id":"bcu');
    fs.writeFileSync(`${cutOff}.output`, "");
    expect(await world.tasks.prune()).toEqual([]);
    expect(world.tasks.list({ all: true }).map(({ record }) => record.id)).toEqual([task.record.id]);
    clock.advance(31 * day);
    expect((await world.tasks.prune()).map(({ id }) => id)).toEqual([task.record.id, "bcutoff00"]);
    expect(fs.readdirSync(path.dirname(cutOff))).toEqual([]);
  });

  test("counts a hole in an output as nothing", async () => {
    await using world = taskWorld();
    const { task } = await world.run("true");
    fs.truncateSync(task.files.output, 10 * 1024 ** 3);
    expect(await world.tasks.prune({ totalBytesMax: 1_000_000 })).toEqual([]);
  });
});

test("remove() refuses what runs", async () => {
  await using world = taskWorld();
  const task = await world.tasks.start({ command: "sleep 300", cwd: world.cwd });
  await expect(world.tasks.remove(task)).rejects.toMatchObject({ code: "task_refused" });
  expect(world.tasks.refresh(task).state.status).toBe("running");
});
