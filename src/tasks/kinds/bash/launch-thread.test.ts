import { describe, expect, test } from "vitest";
import { startProgram } from "../../../../test/support/start-program.ts";
import { taskWorld } from "../../../../test/support/task-world.ts";
import { waitFor } from "../../../../test/support/wait-for.ts";

describe("a process that launches many commands", () => {
  test("launches them from a thread, with the same result", async () => {
    await using world = taskWorld();
    const launches = Array.from({ length: 10 }, (_, n) => n);
    for (const n of launches) {
      const task = await world.tasks.start({
        command: `echo ${n} "$OWN"; exit ${n}`,
        cwd: world.cwd,
        name: `task-${n}`,
        env: { OWN: `own ${n}` },
      });
      expect(task.record).toMatchObject({ name: `task-${n}`, launcher: { pid: process.pid } });
      const { stdout, state } = await world.ended(task);
      expect({ stdout, exitCode: state.status === "lost" ? undefined : state.exitCode }).toEqual({
        stdout: `${n} own ${n}\n`,
        exitCode: n,
      });
    }
  });

  test("is refused by the thread in the same words", async () => {
    await using world = taskWorld();
    for (let n = 0; n < 2; n++) await world.run("true");
    await expect(world.tasks.start({ command: "true", cwd: `${world.cwd}/none` })).rejects.toMatchObject({
      name: "HoldfastError",
      code: "task_refused",
      message: `Cannot run task in "${world.cwd}/none": no such folder`,
    });
    await expect(
      world.tasks.start({ command: "true", cwd: world.cwd, after: ["bnone00000"] }),
    ).rejects.toMatchObject({ code: "task_not_found", fields: { near: expect.any(Array) } });
    expect((await world.run("echo on")).stdout).toBe("on\n");
  });

  test("ends when it has nothing more to do, though the thread is there", async () => {
    await using world = taskWorld();
    const launcher = startProgram("task-launcher", [world.home, world.cwd]);
    for (let n = 0; n < 4; n++) launcher.say(JSON.stringify({ command: "true" }));
    await waitFor(() => launcher.lines.length > 4);
    launcher.hangUp();
    expect(await launcher.ended()).toEqual({ code: 0, signal: null });
  });
});
