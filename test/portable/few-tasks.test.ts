import { describe, expect, test } from "vitest";
import { isWithoutProc } from "../support/other-machine.ts";
import { startTimeOf } from "../../src/lib/process-identity.ts";
import { taskWorld } from "../support/task-world.ts";
import { waitFor } from "../support/wait-for.ts";

// Run by without-proc.test.ts on a machine that has no /proc.
describe.runIf(isWithoutProc)("tasks without /proc", () => {
  test("end with their own code, and with their output", async () => {
    await using world = taskWorld();
    const { state, stdout } = await world.run("echo hi; exit 3");
    expect([state, stdout]).toMatchObject([{ status: "failed", exitCode: 3 }, "hi\n"]);
  });

  test("run until they are stopped with all that they started", async () => {
    await using world = taskWorld();
    const command = "sleep 300 & setsid sleep 300 & sleep 300";
    const task = await world.tasks.start({ command, cwd: world.cwd });
    await waitFor(async () => (await world.tasks.pid(task)) !== undefined);
    expect((await world.tasks.list()).map(({ state }) => state.status)).toEqual(["running"]);
    expect((await world.tasks.stop(task, { by: "test", graceMs: 500 })).status).toBe("stopped");
  });

  test("wait for others, and are stopped while they wait", async () => {
    await using world = taskWorld();
    const first = await world.tasks.start({ command: "read line", cwd: world.cwd, stdin: true });
    const after = { cwd: world.cwd, after: [first.record.id] };
    const [second, third] = [
      await world.tasks.start({ command: "echo second", ...after }),
      await world.tasks.start({ command: "echo third", ...after }),
    ];
    await waitFor(async () => (await world.tasks.refresh(third)).state.status === "queued");
    expect((await world.tasks.stop(third, { by: "test" })).status).toBe("stopped");
    await world.tasks.send(first, "\n");
    expect((await world.ended(second)).stdout).toBe("second\n");
  });

  test("have a terminal if they are asked to", async () => {
    await using world = taskWorld();
    const task = await world.tasks.start({ command: "read line; echo got $line", cwd: world.cwd, tty: true });
    await world.tasks.send(task, "hello\r");
    expect((await world.ended(task)).stdout).toContain("got hello");
  });

  test("are lost when their supervisor was killed, but not before the command is gone", async () => {
    await using world = taskWorld();
    const task = await world.tasks.start({ command: "exec sleep 300", cwd: world.cwd });
    const pid = (await world.tasks.pid(task))!;
    await waitFor(() => startTimeOf(pid) !== undefined);
    process.kill(pid, "SIGKILL");
    await waitFor(() => startTimeOf(pid) === undefined);
    expect((await world.tasks.stop(task, { by: "test", graceMs: 500 })).status).toBe("lost");
  });
});
