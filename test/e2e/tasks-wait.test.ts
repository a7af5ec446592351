import { describe, expect, test } from "vitest";
import { taskHome } from "./task-cli.ts";

describe("holdfast wait", () => {
  test("passes the exit code on, of several the first that is not 0", async () => {
    await using home = taskHome();
    await home.start("--name", "good", "--stdin", "--", "read line");
    await home.start("--name", "bad", "--", "exit 9");
    const waiting = home.spawn("wait", "good", "bad");
    await home.holdfast("wait", "bad");
    await home.holdfast("send", "good", "go");
    const { code, stdout } = await waiting.ended();
    expect(code).toBe(9);
    expect(stdout.split("\n").map((line) => line.slice(11))).toEqual([
      "failed (exit code 9)",
      "completed",
      "",
    ]);
    expect((await home.holdfast("wait", "good")).code).toBe(0);
    expect(await home.json("wait", "good", "bad")).toMatchObject({
      timedOut: false,
      tasks: [
        { name: "bad", status: "failed", exitCode: 9 },
        { name: "good", status: "completed", exitCode: 0 },
      ],
    });
  });

  test("--any ends with the first; --timeout gives up with 124 and says what still runs", async () => {
    await using home = taskHome();
    const slow = await home.start("--name", "slow", "--", "sleep 60");
    await home.start("--name", "quick", "--", "exit 4");
    expect((await home.holdfast("wait", "slow", "quick", "--any")).code).toBe(4);
    expect(await home.holdfast("wait", "slow", "quick", "--timeout", "200ms")).toMatchObject({
      code: 124,
      stdout: expect.stringMatching(/^b\w{8} {2}failed \(exit code 4\)\n$/),
      stderr: `Not ended after 200ms: ${slow} (slow)\n`,
    });
  });

  test("gives two processes that wait for one task its ending", async () => {
    await using home = taskHome();
    const id = await home.start("--stdin", "--", "read line; exit 5");
    const waiters = [home.spawn("wait", id), home.spawn("wait", id)];
    await home.holdfast("send", id, "go");
    const line = `${id}  failed (exit code 5)\n`;
    for (const waiter of waiters)
      expect(await waiter.ended()).toMatchObject({ code: 5, stdout: line, stderr: "" });
  });

  test("Ctrl+C ends the waiting with 130 and clears its line; the task runs on", async () => {
    await using home = taskHome();
    const id = await home.start("--", "sleep 60");
    const terminal = home.spawnOnTerminal(["wait", id]);
    await terminal.shows(`Waiting for ${id}… 1s`);
    terminal.type("\u0003");
    expect(await terminal.ended()).toBe(130);
    expect(terminal.screen).toMatch(/\r {20,}\rThe tasks keep running: holdfast ps\r\n$/);
    expect((await home.json<{ status: string }>("inspect", id)).status).toBe("running");
  });
});
