import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { playing } from "./chat-terminal.ts";
import { taskHome } from "./task-cli.ts";

interface Restarted {
  id: string;
  restarts: string;
  status: string;
  name: string;
  cwd: string;
  command: string;
  settings: { merged: boolean; timeoutMs: number };
}

describe("holdfast restart", () => {
  test("starts the same command again, in its folder and with its settings, under an id of its own", async () => {
    await using home = taskHome();
    const dir = path.join(home.cwd, "inside");
    fs.mkdirSync(dir);
    const options = ["-C", dir, "--name", "once", "--merge", "--timeout", "5m", "-e", "GIVEN=yes"];
    const first = await home.start("--wait", ...options, "--", "echo run${GIVEN} >> log; pwd >&2");
    const { stdout, code } = await home.holdfast("restart", "once", "--follow");
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${dir}\n` });
    // Variables are never kept.
    expect(fs.readFileSync(path.join(dir, "log"), "utf8")).toBe("runyes\nrun\n");
    const again = await home.json<Restarted>("inspect", "@last");
    expect(again).toMatchObject({ restarts: first, name: "once", cwd: dir, status: "completed" });
    expect(again.settings).toMatchObject({ merged: true, timeoutMs: 300_000 });
    expect((await home.holdfast("inspect", "@last")).stdout).toMatch(new RegExp(`^restarts +${first}$`, "m"));
    await home.holdfast("restart", first, "-e", "GIVEN=new", "--follow");
    expect(fs.readFileSync(path.join(dir, "log"), "utf8")).toBe("runyes\nrun\nrunnew\n");
  });

  test("stops one that runs first", async () => {
    await using home = taskHome();
    const first = await home.start("--name", "server", "--", "sleep 60");
    const again = await home.json<Restarted>("restart", "server");
    expect(again).toMatchObject({ restarts: first, name: "server", status: "running" });
    expect(await home.json("inspect", first)).toMatchObject({ status: "stopped", stopReason: "restart" });
  });

  test("refuses an agent and says what to do instead", async () => {
    await using home = taskHome();
    const script = playing({ "Look around": [{ text: "Hello" }] });
    const { stdout } = await home.holdfast("agent", ...script, "--wait", "Look around", "--name", "a");
    expect(stdout).toContain("Hello");
    expect(await home.holdfast("restart", "a")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/it is an agent\nTry: holdfast resume a\w+/) as string,
    });
  });
});
