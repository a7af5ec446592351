import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../../src/doors/cli/render/display-width.ts";
import { waitFor } from "../support/index.ts";
import { run } from "./cli.ts";
import { taskHome } from "./task-cli.ts";

describe("holdfast ps", () => {
  test("says what to do when there is nothing", async () => {
    await using home = taskHome();
    expect(await home.holdfast("ps")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "Nothing runs. Ended tasks: holdfast ps -a\n",
    });
    expect((await home.holdfast("ps", "-a")).stderr).toContain("holdfast run");
    expect(await home.json("ps")).toEqual({ schemaVersion: 1, tasks: [] });
  });

  test("lists what runs, with -a what ended, newest first, in a window of any width", async () => {
    await using home = taskHome();
    const ended = await home.start("--wait", "--", "echo gone; no-such-command");
    const running = await home.start("--name", "build", "--", "echo \u001b[31mhalf way\u001b[0m; sleep 60");
    const wide = (await home.holdfast("ps", "-a")).stdout.split("\n");
    expect(wide[0]).toMatch(/^ID +STATUS +AGE +RUNTIME +IN +TASK +LAST LINE$/);
    expect(wide[1]).toMatch(
      new RegExp(`^${running} +running +now +\\d+m?s +\\S+work +build: echo .* half way$`),
    );
    expect(wide[2]).toMatch(
      new RegExp(
        `^${ended} +failed \\(127\\) .* (?:no-such-command: (?:command )?not found|command not found: no-such-command)$`,
      ),
    );
    expect((await home.holdfast("ps")).stdout).not.toContain(ended);
    for (const columns of [40, 80]) {
      const { stdout } = await run(["ps", "-a"], { home, env: { COLUMNS: String(columns) } });
      expect(stdout.split("\n").filter((line) => displayWidth(line) > columns)).toEqual([]);
      expect(stdout).toMatch(new RegExp(`${running} +running .*build`));
    }
    const coloured = await run(["ps", "-a"], { home, env: { FORCE_COLOR: "1" } });
    expect(coloured.stdout).toContain("\u001b[32mrunning\u001b[39m");
    const plain = await run(["ps", "-a"], { home, env: { FORCE_COLOR: "1", NO_COLOR: "1" } });
    expect(plain.stdout).not.toContain("\u001b");
  });

  test("--project and --limit narrow it down", async () => {
    await using home = taskHome();
    const other = path.join(home.cwd, "other");
    fs.mkdirSync(other);
    const here = await home.start("--", "sleep 60");
    const there = await home.start("--cwd", "other", "--", "sleep 60");
    const ids = async (...args: string[]): Promise<string[]> => {
      const { tasks } = await home.json<{ tasks: { id: string }[] }>("ps", ...args);
      return tasks.map(({ id }) => id);
    };
    expect(await ids()).toEqual([there, here]);
    expect(await ids("--project", ".")).toEqual([here]);
    expect(await ids("--project", other)).toEqual([there]);
    expect(await ids("--limit", "1")).toEqual([there]);
    expect((await home.holdfast("ps", "--quiet")).stdout).toBe(`${there}\n${here}\n`);
  });

  test("shows a command whose children live on as running, with its survivors", async () => {
    await using home = taskHome();
    const id = await home.start("--", "sleep 60 & echo started");
    const state = async (): Promise<Record<string, unknown>> =>
      (await home.json<{ tasks: Record<string, unknown>[] }>("ps")).tasks[0] ?? {};
    await waitFor(async () => "survivors" in (await state()));
    expect(await state()).toMatchObject({
      id,
      status: "running",
      survivors: { exitCode: 0, pids: [expect.any(Number)] },
    });
    expect((await home.holdfast("ps")).stdout).toContain("running (1 survivor)");
  });

  test("--status, --kind and --name leave others out; an ending that is asked for needs no --all", async () => {
    await using home = taskHome();
    const [, failed, named] = [
      await home.start("--wait", "true"),
      await home.start("--wait", "false"),
      await home.start("--name", "Web server", "sleep 60"),
    ];
    const ids = async (...args: string[]): Promise<string[]> =>
      (await home.holdfast("ps", "-q", ...args)).stdout.trim().split("\n");
    expect(await ids("--status", "failed")).toEqual([failed]);
    expect(await ids("--status", "failed", "--status", "running")).toEqual([named, failed]);
    expect(await ids("-a", "--name", "server")).toEqual([named]);
    expect(await ids("-a", "--kind", "shell", "--limit", "1")).toEqual([named]);
    expect(await ids("-a", "--kind", "agent")).toEqual([""]);
    expect((await home.holdfast("ps", "--kind", "agent")).stderr).toBe("No such tasks.\n");
  });

  test("--watch follows on a screen of its own, also after a resize, and leaves it on Ctrl+C", async () => {
    await using home = taskHome();
    expect(await home.holdfast("ps", "--watch")).toMatchObject({ code: 2, stdout: "" });
    const watch = home.spawnOnTerminal(["ps", "-a", "--watch"], { columns: 100, rows: 10 });
    await watch.shows("Nothing runs. Ctrl+C leaves.");
    const id = await home.start("--wait", "--name", "quick", "true");
    await watch.shows(new RegExp(`1 completed[\\s\\S]*${id}.*quick`));
    const before = watch.screen.length;
    watch.resize({ columns: 30, rows: 5 });
    await waitFor(() => watch.screen.slice(before).includes(id));
    watch.type("\u0003");
    expect(await watch.ended()).toBe(130);
    expect(watch.screen).toContain("\u001b[?1049h\u001b[?25l");
    expect(watch.screen.endsWith("\u001b[?25h\u001b[?1049l")).toBe(true);
  });
});
