import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { taskHome, type TaskHome } from "./task-cli.ts";

const bin = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));

// Root may do everything; without these rights it is bound by permissions like anybody else.
const asAnybody = ["setpriv", "--inh-caps=-all", "--bounding-set=-dac_override,-dac_read_search"];
const isRoot = process.getuid?.() === 0;
const canDropRights = !isRoot || spawnSync(asAnybody[0] ?? "", ["--version"]).status === 0;

function runUnprivileged(args: string[], home: TaskHome): { code: number | null; stderr: string } {
  const [program = "", ...rest] = [...(isRoot ? asAnybody : []), process.execPath, bin, ...args];
  const { PATH } = process.env;
  const env = { PATH, HOME: home.userHome, HOLDFAST_HOME: home.home, CLAUDE_CONFIG_DIR: home.configDir };
  const { status, stderr } = spawnSync(program, rest, { cwd: home.cwd, env, encoding: "utf8" });
  return { code: status, stderr };
}

async function refusal(home: TaskHome, ...args: string[]): Promise<[number | null, string]> {
  const { code, stdout, stderr } = await home.holdfast(...args);
  expect(stdout).toBe("");
  return [code, stderr];
}

describe("task commands with bad input", () => {
  test("run refuses what could only fail later, in a sentence, and leaves nothing behind", async () => {
    await using home = taskHome();
    fs.writeFileSync(path.join(home.cwd, "file"), "");
    expect(await refusal(home, "run")).toEqual([
      2,
      "holdfast: Missing required argument 'command'\nRun `holdfast run --help` for what it accepts.\n",
    ]);
    expect(await refusal(home, "run", " ")).toEqual([
      2,
      "holdfast: Cannot run task: the command is empty\nRun `holdfast run --help` for what it accepts.\n",
    ]);
    expect(await refusal(home, "run", "--cwd", "gone", "ls")).toEqual([
      1,
      `holdfast: Cannot run task in "${home.cwd}/gone": no such folder\n`,
    ]);
    expect(await refusal(home, "run", "--cwd", "file", "ls")).toEqual([
      1,
      `holdfast: Cannot run task in "${home.cwd}/file": not a folder\n`,
    ]);
    expect(await refusal(home, "run", "--description", "x".repeat(501), "ls")).toEqual([
      1,
      "holdfast: Cannot run task: the description has 501 characters, more than 500\n",
    ]);
    expect((await refusal(home, "run", "--after", "nothing", "ls"))[0]).toBe(3);
    expect((await refusal(home, "run", "--timeout", "soon", "ls"))[1]).toContain("such as 500ms, 30s");
    expect((await refusal(home, "run", "--env", "novalue", "ls"))[1]).toContain("It must be NAME=value.");
    expect((await home.json<{ tasks: unknown[] }>("ps", "-a")).tasks).toEqual([]);
  });

  test("an unknown id ends with 3 and near ones, an ambiguous prefix with 5 and the candidates", async () => {
    await using home = taskHome();
    const id = await home.start("--wait", "--", "true");
    const typo = `${id.slice(0, 4)}----`;
    expect(await refusal(home, "logs", typo)).toEqual([
      3,
      `holdfast: Cannot find task "${typo}": no task has this id, prefix or name\nDid you mean:\n  ${id}  now  true\nRun \`holdfast ps -a\` to see every task.\n`,
    ]);
    expect(await home.json("wait", "no_such_task")).toMatchObject({
      error: { code: "task_not_found", near: [] },
    });
    const other = await home.start("--wait", "--", "true");
    const [code, said] = await refusal(home, "stop", "b");
    expect(code).toBe(5);
    expect(said).toContain('Cannot choose task "b": 2 tasks match\nType more of one of these:\n');
    expect([id, other].every((each) => said.includes(`  ${each}  now  true\n`))).toBe(true);
    // A whole name is no prefix.
    const named = await home.start("--wait", "--name", "b", "--", "true");
    expect((await home.json<{ id: string }>("inspect", "b")).id).toBe(named);
  });

  test("knows a task of another era by its id", async () => {
    await using home = taskHome();
    const id = await home.start("--wait", "--", "echo old");
    const dir = path.dirname((await home.json<{ outputFile: string }>("inspect", id)).outputFile);
    for (const name of fs.readdirSync(dir))
      fs.renameSync(path.join(dir, name), path.join(dir, name.replace(id, "bash_7")));
    const record = path.join(dir, "bash_7.json");
    fs.writeFileSync(record, fs.readFileSync(record, "utf8").replace(id, "bash_7"));
    expect((await home.holdfast("logs", "bash_7")).stdout).toBe("old\n");
    expect((await home.holdfast("wait", "bash_7")).code).toBe(0);
  });

  test.runIf(canDropRights)("says that a folder or the home may not be used", async () => {
    await using home = taskHome();
    const locked = path.join(home.cwd, "locked");
    fs.mkdirSync(locked, { mode: 0o000 });
    expect(runUnprivileged(["run", "--cwd", locked, "ls"], home)).toEqual({
      code: 1,
      stderr: `holdfast: Cannot run task in "${locked}": no permission to enter it\n`,
    });
    fs.mkdirSync(home.home, { mode: 0o500 });
    expect(runUnprivileged(["run", "ls"], home)).toEqual({
      code: 1,
      stderr: 'holdfast: Cannot start "ls": the Holdfast home is not writable; set HOLDFAST_HOME\n',
    });
    expect(runUnprivileged(["ps"], home).code).toBe(0);
  });
});
