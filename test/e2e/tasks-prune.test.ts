import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { sampleSession } from "../support/index.ts";
import { taskHome, type TaskHome } from "./task-cli.ts";

function filesOf(home: TaskHome): string[] {
  return fs
    .readdirSync(path.join(home.home, "projects"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\/tasks\/./.test(name));
}

describe("holdfast prune", () => {
  test("removes ended tasks that are old enough, never what runs; --dry-run only says so", async () => {
    await using home = taskHome();
    const ended = await home.start("--wait", "--", "echo x");
    const running = await home.start("--", "sleep 60");
    expect((await home.holdfast("prune")).stderr).toBe("Nothing to remove.\n");
    const dry = await home.holdfast("prune", "--older-than", "0s", "--dry-run");
    expect(dry.stdout).toMatch(new RegExp(`^ID .*TASK\n${ended} .* age +echo x\n$`));
    expect(dry.stderr).toMatch(/^Would remove 1 ended task \(/);
    expect(await home.json("prune", "--older-than", "0s")).toMatchObject({
      dryRun: false,
      pruned: [{ id: ended, reason: "age" }],
    });
    expect(filesOf(home).filter((name) => !name.includes(running))).toEqual([]);
    const { tasks } = await home.json<{ tasks: { id: string }[] }>("ps", "-a");
    expect(tasks.map(({ id }) => id)).toEqual([running]);
  });

  test("asks on a terminal, where nothing goes without a yes", async () => {
    await using home = taskHome();
    await home.start("--wait", "--", "true");
    const no = home.spawnOnTerminal(["prune", "--older-than", "0s"]);
    await no.shows("Remove 1 ended task for good? [y/N]");
    no.type("\r");
    expect(await no.ended()).toBe(0);
    expect(filesOf(home)).not.toEqual([]);
    const yes = home.spawnOnTerminal(["prune", "--older-than", "0s"]);
    await yes.shows("[y/N]");
    yes.type("y\r");
    expect(await yes.ended()).toBe(0);
    expect(filesOf(home)).toEqual([]);
  });
});

describe("holdfast run", () => {
  test("removes ended tasks by the settings once its own is started, but not what is retained or news", async () => {
    await using home = taskHome();
    const start = (...args: string[]): Promise<string> => home.start("--wait", ...args, "--", "echo x");
    const told = await start();
    const retained = await start("--retain");
    const later = await start();
    expect(await home.json("retain", later)).toMatchObject({ id: later, isRetained: true });
    const untold = await home.start("--", "echo x");
    await home.untilEnded(untold);
    const left = (): string[] =>
      [told, retained, later, untold].filter((id) => filesOf(home).join().includes(id));
    await home.holdfast("config", "set", "prune.automatic", "false");
    await home.holdfast("config", "set", "prune.olderThan", "1ms");
    await start();
    expect(left()).toHaveLength(4);
    await home.holdfast("config", "set", "prune.automatic");
    expect(await home.start("--", "true")).toMatch(/^b/);
    expect(left()).toEqual([retained, later, untold]);
    expect((await home.holdfast("inspect", later)).stdout).toMatch(/^retained +until it is removed$/m);
    expect((await home.holdfast("retain", later, "--undo")).stderr).toContain("pruned like others");
    // Settings that are wrong remove nothing, and a task starts all the same.
    fs.writeFileSync(path.join(home.home, "config.json"), '{"prune":{"olderThan":"soon"}}');
    expect(await home.start("--", "true")).toMatch(/^b/);
    expect((await home.holdfast("prune")).code).not.toBe(0);
    expect(left()).toEqual([retained, later, untold]);
    fs.writeFileSync(path.join(home.home, "config.json"), '{"prune":{"olderThan":"1ms"}}');
    const answer = await home.json<{ pruned: { id: string }[] }>("prune", "--untold");
    expect(answer.pruned.map(({ id }) => id)).toEqual(expect.arrayContaining([later, untold]));
    expect(left()).toEqual([retained]);
    expect((await home.holdfast("rm", retained)).code).toBe(0);
  });
});

describe("holdfast rm", () => {
  test("removes an ended task with all its files, and refuses one that runs", async () => {
    await using home = taskHome();
    const ended = await home.start("--wait", "--", "true");
    const running = await home.start("--", "sleep 60");
    await home.holdfast("output", ended, "--new", "me");
    expect((await home.holdfast("rm", ended)).stderr).toBe(`Removed task ${ended} with its output.\n`);
    expect(filesOf(home).filter((name) => name.includes(ended))).toEqual([]);
    expect(await home.holdfast("rm", running)).toMatchObject({
      code: 1,
      stderr: `holdfast: Cannot remove task "${running}": it runs; stop it first\n`,
    });
  });

  test("tells tasks and sessions apart by the id, and asks when both match", async () => {
    await using home = taskHome();
    const id = await home.start("--wait", "--name", "gone", "--", "true");
    sampleSession({ cwd: home.cwd }).write(home.configDir);
    const { code, stderr } = await home.holdfast("rm", "@last");
    expect(code).toBe(5);
    expect(stderr).toMatch(new RegExp(`^ {2}${id} +now {2}gone$`, "m"));
    expect((await home.holdfast("rm", "b00000000")).stderr).toContain('Cannot find task "b00000000"');
    expect((await home.holdfast("rm", "zzzz")).stderr).toContain('Cannot find session "zzzz"');
    expect((await home.json<{ removed: object }>("rm", id)).removed).toEqual({ id, kind: "local_bash" });
  });
});
