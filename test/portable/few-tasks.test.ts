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
