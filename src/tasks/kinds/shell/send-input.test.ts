import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { taskWorld } from "../../../../test/support/task-world.ts";
import { waitFor } from "../../../../test/support/wait-for.ts";

describe("sendInput()", () => {
  test("sends more than a pipe holds, whole and in order", async () => {
    await using world = taskWorld();
    const text = `${Array.from({ length: 60_000 }, (_, n) => n).join("\n")}\n`;
    const task = await world.tasks.start({ command: "head -n 60000", cwd: world.cwd, stdin: true });
    await world.tasks.send(task, text);
    expect((await world.ended(task)).stdout).toBe(text);
  });

  test("says how much a command took that does not read", async () => {
    await using world = taskWorld();
    const task = await world.tasks.start({ command: "sleep 300", cwd: world.cwd, stdin: true });
    await expect(world.tasks.send(task, "x".repeat(200_000))).rejects.toMatchObject({
      code: "no_stdin",
      message: expect.stringContaining("of 200000 bytes"),
      fields: { sentBytes: 65_536 },
    });
  });

  test("refuses a task without input, one that has ended, and one whose input was replaced by a file", async () => {
    await using world = taskWorld();
    const { task: deaf } = await world.run("true");
    await expect(world.tasks.send(deaf, "x")).rejects.toMatchObject({ code: "no_stdin" });
    const { task: ended } = await world.run("true", { stdin: true });
    await expect(world.tasks.send(ended, "x")).rejects.toMatchObject({ code: "no_stdin" });
    const task = await world.tasks.start({ command: "sleep 300", cwd: world.cwd, stdin: true });
    const victim = `${world.cwd}/victim`;
    fs.writeFileSync(victim, "precious");
    fs.rmSync(task.files.stdin);
    fs.symlinkSync(victim, task.files.stdin);
    await expect(world.tasks.send(task, "x")).rejects.toMatchObject({ code: "ELOOP" });
    expect(fs.readFileSync(victim, "utf8")).toBe("precious");
  });

  test("keeps what is sent to a task that still waits for another one", async () => {
    await using world = taskWorld();
    const first = await world.tasks.start({ command: "sleep 300", cwd: world.cwd });
    const request = {
      command: "read line; echo got $line",
      cwd: world.cwd,
      stdin: true,
      after: [first.record.id],
    };
    const second = await world.tasks.start(request);
    await waitFor(async () => (await world.tasks.refresh(second)).state.status === "queued");
    await world.tasks.send(second, "early\n");
    await world.tasks.stop(first, { by: "test" });
    expect((await world.ended(second)).stdout).toBe("got early\n");
  });
});
