import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { HoldfastError } from "../../src/lib/errors.ts";
import { readTask } from "../../src/tasks/record/task.ts";
import { canMount, fillDisk, fillPlaces, freeDisk, remountDisk, smallDisk } from "../support/small-disk.ts";
import { markedProcesses, taskWorld, type TaskWorld } from "../support/task-world.ts";
import { waitFor } from "../support/wait-for.ts";

const isMountable = canMount();

function filesIn(world: TaskWorld): string[] {
  return fs
    .readdirSync(world.home, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && entry.name !== "ballast")
    .map(({ name }) => name)
    .toSorted();
}

describe.skipIf(!isMountable)("on a full disk", () => {
  test("a launch is refused clearly and leaves nothing, or runs to a true ending, whatever room there is", async () => {
    using disk = smallDisk(256);
    await using world = taskWorld({ home: disk.dir });
    await world.run("true");
    const outcomes: string[] = [];
    for (let leave = 0; leave < 8; leave++) {
      await waitFor(async () => (await world.tasks.list()).length === 0);
      await waitFor(() => fs.readdirSync(path.join(disk.dir, "running")).length === 0);
      const before = filesIn(world);
      fillDisk(disk.dir, { leave });
      outcomes.push(
        await world.run("exit 3").then(
          ({ state }) => ("exitCode" in state ? `exit ${state.exitCode}` : state.cause),
          (error: HoldfastError) => `${error.code} ${error.message}`,
        ),
      );
      const left = filesIn(world).filter((name) => !before.includes(name));
      expect(left.length > 0).toBe(!outcomes.at(-1)!.startsWith("launch_failed"));
      freeDisk(disk.dir);
    }
    process.stdout.write(`launches with 0 to 7 pages left: ${outcomes.join(", ")}\n`);
    const refused = 'launch_failed Cannot start "exit 3": the disk is full';
    const possible = new Set([refused, "there was no room for its files", "exit 3"]);
    expect(outcomes.filter((outcome) => !possible.has(outcome))).toEqual([]);
    expect([outcomes[0], outcomes.at(-1)]).toEqual([refused, "exit 3"]);
    expect((await world.run("true")).state.status).toBe("completed");
  });

  test("a command that fills it learns so, and its ending is written all the same", async () => {
    using disk = smallDisk(512);
    await using world = taskWorld({ home: disk.dir });
    const { state, task } = await world.run("head -c 2000000 /dev/zero || exit 9");
    expect(state).toMatchObject({ status: "failed", exitCode: 9 });
    expect(fs.statfsSync(disk.dir).bavail).toBe(0);
    expect(fs.statSync(task.files.output).size).toBeGreaterThan(300_000);
    const output = await world.tasks.output(task, { by: "x" });
    expect(output).toMatchObject({ retrieval_status: "success", status: "failed", exitCode: 9 });
    expect(await world.tasks.newOutput(task, { reader: "x" })).toMatchObject({ exitCode: 9 });
    expect(await world.tasks.list({ all: true })).toHaveLength(1);
    expect((await world.tasks.find("@last")).record.id).toBe(task.record.id);
    expect(await world.tasks.notices()).toHaveLength(1);
    await world.tasks.remove(task);
    expect((await world.run("true")).state.status).toBe("completed");
  });

  test("what outlives its command, times out or is stopped ends truly", async () => {
    using disk = smallDisk(512);
    await using world = taskWorld({ home: disk.dir });
    const late = await world.tasks.start({ command: "(sleep 1; exit 0) & exit 4", cwd: world.cwd });
    const slow = await world.tasks.start({ command: "sleep 300", cwd: world.cwd, timeoutMs: 1500 });
    const stopped = await world.tasks.start({ command: "sleep 300", cwd: world.cwd });
    await waitFor(() => markedProcesses(stopped.record.id).length > 0);
    fillDisk(disk.dir, { leave: 0 });
    const { state } = await world.tasks.refresh(late);
    expect(state.status).toBe("running");
    expect(await world.tasks.stop(stopped, { by: "me" })).toMatchObject({ status: "stopped" });
    expect((await world.ended(late)).state).toMatchObject({ status: "failed", exitCode: 4, reason: "exit" });
    expect((await world.ended(slow)).state).toMatchObject({ status: "failed", reason: "timeout" });
  });

  test("a folder that takes no more names loses no ending, nor why it came", async () => {
    using disk = smallDisk(4096, { files: 200 });
    await using world = taskWorld({ home: disk.dir });
    const request = { cwd: world.cwd };
    const late = await world.tasks.start({ ...request, command: "(sleep 1; exit 0) & exit 4" });
    const slow = await world.tasks.start({ ...request, command: "sleep 300", timeoutMs: 1500 });
    const wordy = await world.tasks.start({
      ...request,
      command: "sleep 1; head -c 20000 /dev/zero; sleep 300",
      outputBytesMax: 10_000,
    });
    const stopped = await world.tasks.start({ ...request, command: "sleep 300" });
    for (const { record } of [late, slow, wordy, stopped])
      await waitFor(() => markedProcesses(record.id).length > 0);
    fillPlaces(disk.dir);
    expect(await world.tasks.stop(stopped, { by: "me" })).toMatchObject({ status: "stopped" });
    const endings = [
      [late, { status: "failed", exitCode: 4, reason: "exit" }],
      [slow, { status: "failed", reason: "timeout" }],
      [wordy, { status: "failed", reason: "output-limit" }],
    ] as const;
    for (const [task, state] of endings) expect((await world.ended(task)).state).toMatchObject(state);
    expect(await world.tasks.list()).toEqual([]);
    const { endedAt } = (await world.ended(late)).state;
    expect(await world.tasks.list({ all: true })).toHaveLength(4);
    for (let place = 0; place < 20; place++) fs.rmSync(path.join(disk.dir, `place${place}`));
    expect((await world.ended(late)).state).toMatchObject({ exitCode: 4, endedAt });
    expect(await world.tasks.consumeNotices({ by: "me" })).toHaveLength(4);
    expect(fs.existsSync(late.files.ending)).toBe(true);
  });

  test("lost tasks are told, and notices are not lost", async () => {
    using disk = smallDisk(512);
    await using world = taskWorld({ home: disk.dir });
    const ended = [await world.run("true"), await world.run("true")];
    const task = await world.tasks.start({ command: "exec sleep 300", cwd: world.cwd });
    const pid = await waitFor(async () => {
      const { state } = await world.tasks.refresh(task);
      return state.status === "running" ? state.pid : undefined;
    });
    fillDisk(disk.dir, { leave: 1 });
    process.kill(-pid, "SIGKILL");
    expect((await world.ended(task)).state).toMatchObject({ status: "lost" });
    const taken: string[] = [];
    const codes: string[] = [];
    for (let round = 0; round < 3; round++) {
      const notices = await world.tasks
        .consumeNotices({ by: "x" })
        .catch((error: HoldfastError) => error.code);
      if (typeof notices === "string") codes.push(notices);
      else taken.push(...notices.map(({ taskId }) => taskId));
      if (round === 1) freeDisk(disk.dir);
    }
    expect(codes.filter((code) => code !== "ENOSPC")).toEqual([]);
    expect(taken.toSorted()).toEqual(
      [...ended.map((each) => each.task.record.id), task.record.id].toSorted(),
    );
  });
});

describe.skipIf(!isMountable)("on a read-only disk", () => {
  test("a launch is refused clearly, and everything can still be looked at", async () => {
    using disk = smallDisk(512);
    await using world = taskWorld({ home: disk.dir });
    const { task } = await world.run("echo done");
    await waitFor(() => !fs.existsSync(task.files.endingDraft));
    fs.writeFileSync(task.files.endingDraft, "");
    await waitFor(() => remountDisk(disk.dir, "ro"));
    try {
      await expect(world.tasks.start({ command: "true", cwd: world.cwd })).rejects.toMatchObject({
        code: "launch_failed",
        message: expect.stringContaining("not writable; set HOLDFAST_HOME"),
      });
      const elsewhere = path.join(world.cwd, "other");
      fs.mkdirSync(elsewhere);
      await expect(world.tasks.start({ command: "true", cwd: elsewhere })).rejects.toMatchObject({
        code: "launch_failed",
        message: expect.stringContaining("not writable; set HOLDFAST_HOME"),
      });
      expect(await world.tasks.list()).toEqual([]);
      expect(await world.tasks.list({ all: true })).toHaveLength(1);
      expect(await world.tasks.list({ all: true, limit: 1 })).toHaveLength(1);
      expect((await world.tasks.find("@last")).record.id).toBe(task.record.id);
      expect(await world.tasks.output(task, { by: "x" })).toMatchObject({
        stdout: "done\n",
        status: "completed",
      });
      expect(await world.tasks.newOutput(task, { reader: "x" })).toMatchObject({ stdout: "done\n" });
      expect(await world.tasks.notices()).toHaveLength(1);
      await expect(world.tasks.consumeNotices({ by: "x" })).rejects.toMatchObject({ code: "EROFS" });
    } finally {
      remountDisk(disk.dir, "rw");
    }
    expect(await world.tasks.consumeNotices({ by: "x" })).toHaveLength(1);
    expect(readTask(task.files)?.state.status).toBe("completed");
  });
});
