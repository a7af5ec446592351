import fs from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { writeEndedTask } from "../../../test/support/ended-task.ts";
import { taskWorld } from "../../../test/support/task-world.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { systemClock } from "../../lib/clock.ts";
import { pruneTasks } from "./prune-tasks.ts";
import { namesByTask } from "../record/task-files.ts";

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
    expect((await world.tasks.find(old.record.id)).state.status).toBe("completed");
    expect(await world.tasks.prune({ totalBytesMax: 0 })).toEqual([pruned]);
    const names = fs.readdirSync(path.dirname(old.files.base));
    expect(names.filter((name) => name.includes(old.record.id))).toEqual([]);
    for (const task of [running, left, queued])
      expect((await world.tasks.find(task.record.id)).state).not.toHaveProperty("endedAt");
  });

  test("removes the oldest until the rest fits", async () => {
    await using world = taskWorld();
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) {
      const { task, state } = await world.run("head -c 100000 /dev/zero");
      ids.push(task.record.id);
      await waitFor(() => Date.now() > Date.parse(state.endedAt) + 2);
    }
    // What nobody was told of stays, however much it takes.
    expect(await world.tasks.prune({ totalBytesMax: 250_000 })).toEqual([]);
    await world.tasks.consumeNotices({ by: "x" });
    const pruned = await world.tasks.prune({ totalBytesMax: 250_000 });
    expect(pruned.map(({ id, reason }) => ({ id, reason }))).toEqual([
      { id: ids[0], reason: "quota" },
      { id: ids[1], reason: "quota" },
    ]);
    expect(await world.tasks.list({ all: true })).toHaveLength(2);
  });

  test("removes what a launch left that was cut off before its record was whole, once it is old", async () => {
    const clock = fakeClock(new Date().toISOString());
    await using world = taskWorld({ clock });
    const { task } = await world.run("true");
    const cutOff = path.join(path.dirname(task.files.base), "bcutoff00");
    fs.writeFileSync(`${cutOff}.json`, '{"schemaVersion":1,"id":"bcu');
    fs.writeFileSync(`${cutOff}.output`, "");
    expect(await world.tasks.prune()).toEqual([]);
    expect((await world.tasks.list({ all: true })).map(({ record }) => record.id)).toEqual([task.record.id]);
    clock.advance(31 * day);
    await world.tasks.told(task, { by: "me" });
    expect((await world.tasks.prune()).map(({ id }) => id)).toEqual([task.record.id, "bcutoff00"]);
    expect(fs.readdirSync(path.join(world.home, "projects"))).toEqual([]);
  });

  test("removes folders of which nothing is left, rows of the index, and what a killed removal left", async () => {
    await using world = taskWorld();
    const paths = holdfastPaths(world.home);
    const old = writeEndedTask(world.home, { id: "bold00001", second: 1, cwd: "/gone", told: true });
    const kept = writeEndedTask(world.home, { id: "bnew00001", second: 1, cwd: "/kept" });
    fs.utimesSync(kept.ending, new Date(), new Date());
    await world.tasks.list({ all: true });
    writeEndedTask(world.home, { id: "bold00002", second: 2, cwd: "/gone", muted: true });
    const half = writeEndedTask(world.home, { id: "bold00003", second: 1, cwd: "/kept", told: true });
    fs.rmSync(half.record);
    const progress: object[] = [];
    const pruned = await world.tasks.prune({ onProgress: (each) => progress.push(each) });
    expect(pruned.map(({ id }) => id)).toEqual(["bold00001", "bold00002", "bold00003"]);
    expect(progress).toEqual([{ done: 0, total: 3 }]);
    expect(fs.readdirSync(paths.projectsDir)).toEqual([kept.projectKey]);
    expect(namesByTask(paths.tasksDir(kept.projectKey))).toEqual(
      new Map([[kept.id, expect.arrayContaining(["bnew00001.json", "bnew00001.end.json"])]]),
    );
    expect(fs.readdirSync(paths.endedDir)).toEqual([]);
    expect((await world.tasks.list({ all: true, limit: 9 })).map(({ record }) => record.id)).toEqual([
      kept.id,
    ]);
    expect(fs.existsSync(old.record)).toBe(false);
  });

  test("reads the names in a folder twice, however many tasks it removes from it", async () => {
    const home = path.join(tempDir(), "home");
    for (let n = 0; n < 50; n++)
      writeEndedTask(home, { id: `b${String(n).padStart(8, "0")}`, second: n, isOlder: true, told: true });
    const reads = [vi.spyOn(fs, "opendirSync"), vi.spyOn(fs, "readdirSync")];
    try {
      expect(await pruneTasks(home, { clock: systemClock })).toHaveLength(50);
      const folders = reads.flatMap(({ mock }) => mock.calls.map(([dir]) => path.basename(String(dir))));
      expect(folders.filter((name) => name === "tasks")).toHaveLength(2);
      expect(folders.length).toBeLessThan(6);
    } finally {
      for (const read of reads) read.mockRestore();
    }
  });

  test("spares what nobody was told of unless it is asked for, and what is retained in any case", async () => {
    await using world = taskWorld();
    const ids = ["b0000told", "b00untold", "b0retains"];
    for (const [at, id] of ids.entries())
      writeEndedTask(world.home, { id, second: at, told: id !== "b00untold" });
    await world.tasks.retain("b0retains");
    expect((await world.tasks.inspect("b0retains")).isRetained).toBe(true);
    const prune = async (withUntold: boolean): Promise<string[]> =>
      (await world.tasks.prune({ withUntold, totalBytesMax: 0 })).map(({ id }) => id);
    expect(await prune(false)).toEqual(["b0000told"]);
    expect(await prune(true)).toEqual(["b00untold"]);
    await world.tasks.retain("b0retains", { isRetained: false });
    expect(await prune(false)).toEqual(["b0retains"]);
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
  expect((await world.tasks.refresh(task)).state.status).toBe("running");
});
