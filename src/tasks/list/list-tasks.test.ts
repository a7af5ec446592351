import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { taskWorld, type TaskWorld } from "../../../test/support/task-world.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import type { Task } from "../record/task.ts";

/** The same task under another id, as if it had been launched so. */
function copyTask({ files, record }: Task, id: string): void {
  for (const ending of ["json", "output", "stderr", "run", "end.json"]) {
    const from = `${files.base}.${ending}`;
    const text = fs.readFileSync(from, "utf8").replaceAll(record.id, id);
    fs.writeFileSync(path.join(path.dirname(files.base), `${id}.${ending}`), text);
  }
}

describe("findTask()", () => {
  test("finds by id, prefix, name of the newest, and @last", async () => {
    const clock = fakeClock();
    await using world = taskWorld({ clock });
    const first = await world.run("true", { name: "build" });
    clock.advance(1000);
    const second = await world.run("true", { name: "build" });
    clock.advance(1000);
    const last = await world.run("true");
    const found = async (wanted: string): Promise<string> => (await world.tasks.find(wanted)).record.id;
    expect(await found(first.task.record.id)).toBe(first.task.record.id);
    expect(await found(first.task.record.id.slice(0, 6))).toBe(first.task.record.id);
    expect(await found("build")).toBe(second.task.record.id);
    expect(await found("@last")).toBe(last.task.record.id);
  });

  test.each([
    "bash_1",
    "abc123",
    "b12345",
    "a1b2c3d4e5f60718",
    "name@team",
    "s12345678",
    "../../etc/passwd",
    "b",
    "\0",
    "x".repeat(5000),
  ])("answers clearly to %.20s, an id of another era, of nobody or of no form", async (id) => {
    await using world = taskWorld();
    await expect(world.tasks.find(id)).rejects.toThrow(expect.objectContaining({ code: "task_not_found" }));
  });

  test.each(["bash_1", "abc123", "b12345"])("finds a record of an older era by its id %s", async (id) => {
    await using world = taskWorld();
    const { task } = await world.run("echo old");
    copyTask(task, id);
    expect(await world.tasks.find(id)).toMatchObject({ record: { id }, state: { status: "completed" } });
    expect(await world.tasks.output(await world.tasks.find(id), { by: "x" })).toMatchObject({
      stdout: "old\n",
    });
  });

  test("says which tasks a prefix or a doubled id may mean", async () => {
    await using world = taskWorld();
    const { task } = await world.run("true");
    copyTask(task, "bsame0001");
    copyTask(task, "bsame0002");
    await expect(world.tasks.find("bsame")).rejects.toThrow(
      expect.objectContaining({
        code: "task_ambiguous",
        fields: { candidates: expect.arrayContaining([expect.objectContaining({ id: "bsame0001" })]) },
      }),
    );
  });
});

describe("listTasks()", () => {
  test("lists the newest first, of one folder or all, running or all", async () => {
    const clock = fakeClock();
    await using world = taskWorld({ clock });
    const other = path.join(world.cwd, "other");
    fs.mkdirSync(other);
    const ended = await world.run("true");
    clock.advance(1000);
    const here = await world.tasks.start({ command: "sleep 300", cwd: world.cwd });
    clock.advance(1000);
    const there = await world.tasks.start({ command: "sleep 300", cwd: other });
    const ids = (tasks: Task[]): string[] => tasks.map(({ record }) => record.id);
    expect(ids(await world.tasks.list())).toEqual([there.record.id, here.record.id]);
    expect(ids(await world.tasks.list({ cwd: world.cwd }))).toEqual([here.record.id]);
    expect(ids(await world.tasks.list({ cwd: world.cwd, all: true }))).toEqual([
      here.record.id,
      ended.task.record.id,
    ]);
  });

  test.skipIf(process.getuid?.() === 0)("passes over what it may not read", async () => {
    await using world = taskWorld();
    const { task } = await world.run("true");
    const other = path.join(world.cwd, "other");
    fs.mkdirSync(other);
    const { task: hidden } = await world.run("true", { cwd: other });
    fs.chmodSync(path.dirname(hidden.files.base), 0);
    copyTask(task, "bunreadab");
    fs.chmodSync(path.join(path.dirname(task.files.base), "bunreadab.json"), 0);
    expect((await world.tasks.list({ all: true })).map(({ record }) => record.id)).toEqual([task.record.id]);
    expect((await world.tasks.notices()).map(({ taskId }) => taskId)).toEqual([task.record.id]);
  });

  test("tells folders apart whose names become the same key", async () => {
    await using world = taskWorld();
    const folders = ["a/b", "a-b"].map((name) => path.join(world.cwd, name));
    for (const cwd of folders) {
      fs.mkdirSync(cwd, { recursive: true });
      await world.run("true", { cwd });
      await world.tasks.start({ command: "sleep 300", cwd });
    }
    for (const cwd of folders) {
      expect((await world.tasks.list({ cwd })).map(({ record }) => record.cwd)).toEqual([cwd]);
      expect((await world.tasks.list({ cwd, all: true })).map(({ record }) => record.cwd)).toEqual([
        cwd,
        cwd,
      ]);
    }
  });

  test("is not led astray by a clock that was set back", async () => {
    const clock = fakeClock();
    await using world = taskWorld({ clock });
    const first = await world.run("true");
    clock.advance(-100 * 24 * 60 * 60 * 1000);
    const second = await world.run("exit 1");
    expect((await world.tasks.list({ all: true })).map(({ state }) => state.status)).toEqual([
      "completed",
      "failed",
    ]);
    expect((await world.tasks.prune()).map(({ id }) => id)).toEqual([]);
    expect(await world.tasks.consumeNotices({ by: "x" })).toHaveLength(2);
    for (const { task } of [first, second])
      expect((await world.tasks.find(task.record.id)).record.id).toBe(task.record.id);
  });
});

describe("tasks that wait for others", () => {
  const statusOf = async (world: TaskWorld, task: Task): Promise<string> => {
    const { state } = await world.tasks.refresh(task);
    return state.status === "queued" ? `place ${state.place}` : state.status;
  };
  const statuses = (world: TaskWorld, tasks: Task[]): Promise<string[]> =>
    Promise.all(tasks.map((task) => statusOf(world, task)));

  test("show their place, start when those ahead have ended, however they ended", async () => {
    await using world = taskWorld();
    const first = await world.tasks.start({ command: "read line", cwd: world.cwd, stdin: true });
    const second = await world.tasks.start({ command: "sleep 300", cwd: world.cwd });
    const after = [first.record.id, second.record.id];
    const third = await world.tasks.start({ command: "echo third", cwd: world.cwd, after });
    const fourth = await world.tasks.start({
      command: "echo fourth",
      cwd: world.cwd,
      after: [third.record.id],
    });
    await waitFor(async () => (await statuses(world, [third, fourth])).join() === "place 2,place 1");
    await world.tasks.send(first, "\n");
    await world.ended(first);
    await waitFor(async () => (await statuses(world, [third])).join() === "place 1");
    await world.tasks.stop(second, { by: "test" });
    expect((await world.ended(fourth)).stdout).toBe("fourth\n");
    const all = await Promise.all([first, second, third, fourth].map((task) => world.tasks.refresh(task)));
    const ended = all.map(({ state }) => (state as { endedAt: string }).endedAt);
    expect(ended).toEqual(ended.toSorted());
  });

  test("start when one ahead was removed, or lost its supervisor while nobody looked", async () => {
    await using world = taskWorld();
    const { task: removed } = await world.run("true");
    const lost = await world.tasks.start({ command: "exec sleep 300", cwd: world.cwd });
    const after = [removed.record.id, lost.record.id];
    const task = await world.tasks.start({ command: "echo ran", cwd: world.cwd, after });
    await waitFor(async () => (await statuses(world, [task])).join() === "place 1");
    await world.tasks.remove(removed);
    const { pid } = JSON.parse(fs.readFileSync(lost.files.run, "utf8")) as { pid: number };
    process.kill(-pid, "SIGKILL");
    // Only the waiting supervisor itself can see it: nothing here looks at the lost task.
    await waitFor(() => fs.readFileSync(task.files.output, "utf8") === "ran\n");
    expect(fs.existsSync(lost.files.ending)).toBe(false);
    await world.ended(task);
  });

  test("can be stopped before they start, and then never run", async () => {
    await using world = taskWorld();
    const first = await world.tasks.start({ command: "sleep 300", cwd: world.cwd });
    const second = await world.tasks.start({
      command: "echo ran",
      cwd: world.cwd,
      after: [first.record.id],
      timeoutMs: 60_000,
    });
    await waitFor(async () => (await statuses(world, [second])).join() === "place 1");
    expect(await world.tasks.stop(second, { by: "me" })).toMatchObject({
      status: "stopped",
      stoppedBy: "me",
    });
    expect(fs.readFileSync(second.files.output, "utf8")).toBe("");
    expect((await world.tasks.refresh(first)).state.status).toBe("running");
  });

  test("refuse to wait for what is not there", async () => {
    await using world = taskWorld();
    const starting = world.tasks.start({ command: "true", cwd: world.cwd, after: ["bnone0000"] });
    await expect(starting).rejects.toMatchObject({ code: "task_not_found" });
  });
});
