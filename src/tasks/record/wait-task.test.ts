import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { startProgram } from "../../../test/support/start-program.ts";
import { taskWorld } from "../../../test/support/task-world.ts";
import { waitFor } from "../../../test/support/wait-for.ts";

describe("waitForEnd()", () => {
  test("gives two processes that wait for a task of a third its ending", async () => {
    await using world = taskWorld();
    const task = await world.tasks.start({ command: "read line; exit $line", cwd: world.cwd, stdin: true });
    const waiters = [1, 2].map(() => startProgram("task-waiter", [world.home, task.record.id]));
    await waitFor(() => waiters.every(({ lines }) => lines.includes("waiting")));
    await world.tasks.send(task, "5\n");
    for (const waiter of waiters) {
      expect(await waiter.ended()).toEqual({ code: 0, signal: null });
      expect(JSON.parse(waiter.lines[1]!)).toEqual((await world.tasks.refresh(task)).state);
    }
    expect((await world.tasks.refresh(task)).state).toMatchObject({ status: "failed", exitCode: 5 });
  });

  test("gives nothing when the time is up or the signal comes, at once when it had come", async () => {
    await using world = taskWorld();
    const task = await world.tasks.start({ command: "sleep 300", cwd: world.cwd });
    expect(await world.tasks.wait(task, { timeoutMs: 0 })).toBeUndefined();
    expect(await world.tasks.wait(task, { timeoutMs: 30 })).toBeUndefined();
    expect(await world.tasks.wait(task, { timeoutMs: 0.5 })).toBeUndefined();
    await expect(world.tasks.wait(task, { timeoutMs: Number.NaN })).rejects.toThrow("Cannot wait NaN ms");
    expect(await world.tasks.wait(task, { signal: AbortSignal.timeout(30) })).toBeUndefined();
    const [signal, timeoutMs] = [AbortSignal.timeout(30), 2 ** 40];
    expect(await world.tasks.wait(task, { signal, timeoutMs })).toBeUndefined();
    expect(await world.tasks.wait(task, { signal: AbortSignal.abort() })).toBeUndefined();
    expect(await world.tasks.wait(task, { signal: AbortSignal.abort(), timeoutMs: 10 })).toBeUndefined();
  });

  test("gives an ending that is there although time and signal are over", async () => {
    await using world = taskWorld();
    const { task, state } = await world.run("true");
    expect(await world.tasks.wait(task, { timeoutMs: 0 })).toEqual(state);
    expect(await world.tasks.wait(task, { signal: AbortSignal.abort() })).toEqual(state);
  });

  test("sees a supervisor die, and a task that is removed while it waits", async () => {
    await using world = taskWorld();
    const task = await world.tasks.start({ command: "exec sleep 300", cwd: world.cwd });
    const waiting = world.tasks.wait(task, { timeoutMs: 20_000 });
    const pid = await waitFor(async () => {
      const { state } = await world.tasks.refresh(task);
      return state.status === "running" ? state.pid : undefined;
    });
    process.kill(-pid, "SIGKILL");
    expect(await waiting).toMatchObject({ status: "lost" });
    const { task: gone } = await world.run("true");
    await world.tasks.remove(gone);
    expect(await world.tasks.wait(gone, { timeoutMs: 20_000 })).toMatchObject({
      status: "lost",
      cause: "its files were removed",
    });
  });

  test("uses little time of the processor beside a task that prints without pause", async () => {
    await using world = taskWorld();
    const command = "timeout 1.5 sh -c 'while :; do echo line; done'; true";
    const task = await world.tasks.start({ command, cwd: world.cwd });
    const used = process.cpuUsage();
    await world.ended(task);
    const { user, system } = process.cpuUsage(used);
    const cpuMs = (user + system) / 1000;
    process.stdout.write(`waiting for a chatty task took ${cpuMs.toFixed(0)} ms of the processor in 1.5 s\n`);
    expect(cpuMs).toBeLessThan(750);
  });
});

describe("waitForAny()", () => {
  test("gives the first that ends, or all that had ended", async () => {
    await using world = taskWorld();
    const slow = await world.tasks.start({ command: "sleep 300", cwd: world.cwd });
    const quick = await world.tasks.start({ command: "exit 4", cwd: world.cwd });
    const first = await world.tasks.waitAny([slow, quick], { timeoutMs: 20_000 });
    expect(first).toMatchObject([{ task: { record: { id: quick.record.id } }, state: { exitCode: 4 } }]);
    const { task: other } = await world.run("true");
    expect(await world.tasks.waitAny([quick, slow, other])).toHaveLength(2);
    expect(await world.tasks.waitAny([], { timeoutMs: 10 })).toEqual([]);
  });

  test("watches tasks of several projects", async () => {
    await using world = taskWorld();
    const slow = await world.tasks.start({ command: "sleep 300", cwd: world.cwd });
    fs.mkdirSync(`${world.cwd}/other`);
    const quick = await world.tasks.start({ command: "sleep 0.1", cwd: `${world.cwd}/other` });
    expect(await world.tasks.waitAny([slow, quick], { timeoutMs: 20_000 })).toMatchObject([
      { task: { record: { id: quick.record.id } } },
    ]);
  });
});
