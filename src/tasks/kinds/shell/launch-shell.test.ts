import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { isWithoutProc, realProc } from "../../../../test/support/other-machine.ts";
import {
  basicEnv,
  taskWorld,
  type TaskWorld,
  type TaskWorldOptions,
} from "../../../../test/support/task-world.ts";
import { tempDir } from "../../../../test/support/temp-dir.ts";
import { waitFor } from "../../../../test/support/wait-for.ts";
import { taskCommandBytesMax } from "./limits.ts";
import { taskDescriptionLengthMax } from "../../../format/limits.ts";
import { holdfastPaths } from "../../../format/paths.ts";

// Only where the system has setsid is there a small launcher.
const WAYS = isWithoutProc ? ["spawn"] : ["spawn", "the small launcher"];

async function worldStarting(by: string, options?: TaskWorldOptions): Promise<TaskWorld> {
  return taskWorld({ ...options, bySmallLauncher: by !== "spawn" });
}

function shellVariables(): string[] {
  const env = execFileSync("/bin/sh", ["-c", "env -0"], {
    env: { PATH: basicEnv["PATH"] },
    encoding: "utf8",
  });
  const names = env.split("\0").map((line) => line.replace(/=.*/s, ""));
  return names.filter((name) => !["PATH", "PWD", "SHELL"].includes(name));
}

describe.each(WAYS)("launchShell() by %s", (by) => {
  test("writes the record whole, private, and without the environment", async () => {
    await using world = await worldStarting(by);
    const request = {
      name: "n",
      description: "d",
      sessionId: "s",
      toolUseId: "t",
      env: { SECRET: "5e4e7" },
      timeoutMs: 60_000,
      niceness: 1,
    };
    const { task } = await world.run("true", request);
    const text = fs.readFileSync(task.files.record, "utf8");
    expect(JSON.parse(text)).toEqual({
      schemaVersion: 1,
      id: expect.stringMatching(/^b[0-9a-z]{8}$/),
      kind: "local_bash",
      name: "n",
      description: "d",
      command: "true",
      cwd: world.cwd,
      sessionId: "s",
      toolUseId: "t",
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      launcher: expect.objectContaining({ pid: process.pid }),
      shell: {
        shell: "/bin/sh",
        merged: false,
        tty: false,
        sandbox: false,
        stdin: false,
        timeoutMs: 60_000,
        outputBytesMax: expect.any(Number),
        keepTail: false,
        niceness: 1,
      },
      work: { fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) },
    });
    const dir = path.dirname(task.files.base);
    await waitFor(() => !fs.existsSync(task.files.endingDraft));
    const written = fs.readdirSync(dir).map((name) => fs.readFileSync(path.join(dir, name), "latin1"));
    expect(written.filter((each) => each.includes("5e4e7"))).toEqual([]);
    for (const file of [task.files.record, task.files.output, task.files.stderr, task.files.ending])
      expect([file, fs.statSync(file).mode & 0o777]).toEqual([file, 0o600]);
    expect(fs.statSync(dir).mode & 0o777).toBe(0o700);
  });

  test("gives the command exactly the caller's variables, and ours", async () => {
    const env = {
      ...basicEnv,
      odd: "a\nb'c\"d$e`f\\",
      EMPTY: "",
      HOLDFAST_TASK_ID: "bsomeother",
      PWD: "/",
    };
    await using world = await worldStarting(by, { env });
    const more = "'}; exit 3; { \"$(exit 4)`\\\n\n é; _set_variables() { '";
    const { stdout, task } = await world.run("env -0", { env: { odd: "mine now", MORE: more } });
    const seen = Object.fromEntries(stdout.split("\0").map((line) => line.split(/=(.*)/s).slice(0, 2)));
    // What the command's own shell sets: bash and zsh count themselves, zsh says who logged in.
    for (const name of shellVariables()) delete seen[name];
    const { OLDPWD: _, _: __, "": ___, ...rest } = seen;
    expect(rest).toEqual({
      PATH: basicEnv["PATH"],
      odd: "mine now",
      EMPTY: "",
      MORE: more,
      SHELL: "/bin/sh",
      GIT_EDITOR: "true",
      HOLDFAST_TASK_ID: task.record.id,
      PWD: world.cwd,
    });
  });

  test.each([
    ["quotes", `echo "it's" '"quoted"' \`echo x\` \\\\ $((1+1))`, `it's "quoted" x \\ 2\n`],
    ["lines", "echo one\necho two # comment\n\necho three", "one\ntwo\nthree\n"],
    ["a line that looks like our own", "cat << 'AHEAD'\n$_base\nAHEAD\n", "$_base\n"],
    ["a leading dash", "-x || echo no", "no\n"],
    ["what is not ASCII", "echo 'äöü 你好 🙂'", "äöü 你好 🙂\n"],
  ])("runs a command with %s as it is", async (_what, command, output) => {
    await using world = await worldStarting(by);
    expect((await world.run(command)).stdout).toBe(output);
  });

  test("runs in a folder that was named from here, and records its whole name", async () => {
    await using world = await worldStarting(by);
    const cwd = path.relative(process.cwd(), world.cwd);
    const { stdout, task } = await world.run("pwd", { cwd });
    expect(stdout).toBe(`${world.cwd}\n`);
    expect(task.record.cwd).toBe(world.cwd);
  });

  test("runs a command as long as the limit allows", async () => {
    await using world = await worldStarting(by);
    const command = `: '${"x".repeat(taskCommandBytesMax - 4)}'`;
    const { state, task } = await world.run(command);
    expect(state.status).toBe("completed");
    expect(task.record.command).toHaveLength(taskCommandBytesMax);
  });

  test.each(["with space", "with 'quote\" and $HOME", "with\nline", "-dash", "ünïcode", "x".repeat(250)])(
    "runs in a folder called %j",
    async (name) => {
      const cwd = path.join(tempDir(), name);
      fs.mkdirSync(cwd);
      await using world = await worldStarting(by, { cwd });
      const { stdout, state } = await world.run('printf %s "$PWD"; pwd > here');
      expect(state.status).toBe("completed");
      expect(stdout).toBe(cwd);
      expect(fs.readFileSync(path.join(cwd, "here"), "utf8")).toBe(`${cwd}\n`);
    },
  );

  test("keeps its files in a home with spaces and quotes, also for a project of 200 characters", async () => {
    const cwd = path.join(tempDir(), ...Array.from({ length: 5 }, () => "y".repeat(60)));
    fs.mkdirSync(cwd, { recursive: true });
    const home = path.join(tempDir(), `a "home" with 'all' of $(it)`);
    await using world = await worldStarting(by, { home, cwd });
    const first = await world.tasks.start({ command: "sleep 0.2; echo one", cwd });
    const second = await world.run("(sleep 0.1; echo two) &", {
      after: [first.record.id],
      timeoutMs: 20_000,
    });
    expect(second).toMatchObject({ stdout: "two\n", state: { status: "completed" } });
    expect(path.basename(path.dirname(path.dirname(first.files.base)))).toMatch(/^.{200}-[0-9a-z]+$/);
  });

  test("goes on when its folder is removed", async () => {
    const cwd = path.join(tempDir(), "gone");
    fs.mkdirSync(cwd);
    await using world = await worldStarting(by, { cwd });
    const task = await world.tasks.start({ command: "sleep 0.3; echo done", cwd });
    fs.rmSync(cwd, { recursive: true });
    expect(await world.ended(task)).toMatchObject({ stdout: "done\n", state: { status: "completed" } });
  });

  test("leaves signals, umask and descriptors as the caller has them", async () => {
    await using world = await worldStarting(by);
    const umask = process.umask(0o027);
    try {
      const { stdout } = await world.run(
        `umask; grep -E '^Sig(Ign|Blk)' ${realProc}/self/status; ls ${realProc}/self/fd | head -3`,
      );
      // zsh prints it without the zero.
      expect(stdout.replace(/^0?027/, "0027").split("\n")).toEqual([
        "0027",
        "SigBlk:\t0000000000000000",
        "SigIgn:\t0000000000000000",
        "0",
        "1",
        "2",
        "",
      ]);
    } finally {
      process.umask(umask);
    }
  });

  test.each([0o000, 0o077])("has private files under umask %o", async (given) => {
    const umask = process.umask(given);
    try {
      await using world = await worldStarting(by);
      const outputBytesMax = 100_000;
      const command = "sleep 300 & exit 3";
      const first = await world.tasks.start({ command, cwd: world.cwd, stdin: true, outputBytesMax });
      const terminal = await world.tasks.start({ command: "sleep 300", cwd: world.cwd, tty: true });
      const after = [first.record.id];
      const waiting = await world.tasks.start({ command: "sleep 300 & exit 3", cwd: world.cwd, after });
      await waitFor(() => fs.existsSync(first.files.beat) && fs.existsSync(first.files.exit));
      await waitFor(() => fs.existsSync(`${terminal.files.base}.pty`));
      await waitFor(() => waitingIn(world.home).length > 0);
      expect(openFiles(world.home)).toEqual([]);
      await world.tasks.stop(first, { by: "test", graceMs: 0 });
      await waitFor(() => fs.existsSync(waiting.files.exit));
      for (const task of [terminal, waiting]) await world.tasks.stop(task, { by: "test", graceMs: 0 });
      await world.tasks.consumeNotices({ by: "test" });
      expect(openFiles(world.home)).toEqual([]);
    } finally {
      process.umask(umask);
    }
  });

  test("can be interrupted", async () => {
    await using world = await worldStarting(by);
    const { state } = await world.run("kill -INT $$; echo survived");
    expect(state).toMatchObject({ status: "failed", signal: "SIGINT" });
  });

  test("gives no input unless asked, and then input that does not end", async () => {
    await using world = await worldStarting(by);
    expect(await world.run(`cat; readlink ${realProc}/self/fd/0`)).toMatchObject({ stdout: "/dev/null\n" });
    const command = 'for n in 1 2; do read -r line; echo "$line"; done';
    const task = await world.tasks.start({ command, cwd: world.cwd, stdin: true });
    await world.tasks.send(task, "first\n");
    await waitFor(() => fs.readFileSync(task.files.output, "utf8") === "first\n");
    await world.tasks.send(task, "second\n");
    expect(await world.ended(task)).toMatchObject({
      stdout: "first\nsecond\n",
      state: { status: "completed" },
    });
  });

  test("keeps streams apart unless they are to be merged", async () => {
    await using world = await worldStarting(by);
    const command = "echo one; echo two >&2; echo three";
    expect(await world.run(command)).toMatchObject({ stdout: "one\nthree\n", stderr: "two\n" });
    expect(await world.run(command, { merged: true })).toMatchObject({
      stdout: "one\ntwo\nthree\n",
      stderr: "",
    });
  });

  test("runs with the niceness that is asked for", async () => {
    await using world = await worldStarting(by);
    expect((await world.run("nice", { niceness: 7 })).stdout).toBe("7\n");
  });

  test("gives a sandboxed command a private TMPDIR", async () => {
    await using world = await worldStarting(by);
    const { stdout } = await world.run('ls -ld "$TMPDIR"; echo x > "$TMPDIR/x"; echo "$TMPDIR"', {
      sandbox: true,
    });
    const [mode, dir] = stdout.split("\n");
    expect(mode).toMatch(/^drwx------/);
    expect(dir!.startsWith(world.home)).toBe(true);
  });

  test("uses the caller's shell", async () => {
    await using world = await worldStarting(by, { env: { ...basicEnv, SHELL: "/bin/bash" } });
    expect(await world.run("echo ${BASH_VERSION:+bash} $SHELL")).toMatchObject({
      stdout: "bash /bin/bash\n",
    });
    const { stdout } = await world.run("echo $0", { env: { SHELL: "/bin/dash" } });
    expect(stdout).toBe("/bin/dash\n");
  });
});

describe("launchShell() refuses", () => {
  test.each([
    ["an empty command", { command: " \n" }, "the command is empty"],
    ["a command with a NUL", { command: "echo \0" }, "NUL"],
    ["a command that is too long", { command: "x".repeat(taskCommandBytesMax + 1) }, "put it into a script"],
    [
      "a description that is too long",
      { description: "x".repeat(taskDescriptionLengthMax + 1) },
      "description",
    ],
    ["a folder that is not there", { cwd: "/no/such/folder" }, "no such folder"],
    ["a file as folder", { cwd: "/etc/passwd" }, "not a folder"],
    ["a folder with a NUL", { cwd: "/tmp\0" }, "NUL"],
    ["a variable that is none", { env: { "A=B": "x" } }, "no variable name"],
    ["a variable with a NUL", { env: { A: "x\0y" } }, "NUL"],
    ["a timeout that is none", { timeoutMs: Number.NaN }, "timeout"],
    ["a timeout of nothing", { timeoutMs: 0 }, "timeout"],
    ["a timeout without end", { timeoutMs: Infinity }, "timeout"],
    ["an output limit that is none", { outputBytesMax: -1 }, "output limit"],
    ["an output limit in parts of bytes", { outputBytesMax: 1.5 }, "output limit"],
    ["a niceness that is none", { niceness: 40 }, "niceness"],
  ])("%s", async (_what, request, words) => {
    await using world = taskWorld();
    const starting = world.tasks.start({ command: "true", cwd: world.cwd, ...request });
    await expect(starting).rejects.toMatchObject({
      code: "task_refused",
      message: expect.stringContaining(words),
    });
    expect(await world.tasks.list({ all: true })).toEqual([]);
  });

  test.each(WAYS)("a folder without a name, by %s", async (by) => {
    await using world = await worldStarting(by);
    await expect(world.tasks.start({ command: "true", cwd: "" })).rejects.toMatchObject({
      code: "task_refused",
      message: expect.stringContaining("no folder is named"),
    });
  });

  test.each(WAYS)("an environment that is too large, by %s", async (by) => {
    await using world = await worldStarting(by);
    const before = fs.existsSync(world.home) ? fs.readdirSync(world.home, { recursive: true }) : [];
    const env = { HUGE: "x".repeat(200_000) };
    const starting = world.tasks.start({ command: "true", cwd: world.cwd, env });
    await expect(starting).rejects.toMatchObject({ code: "launch_failed" });
    const left = fs
      .readdirSync(world.home, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile());
    expect(
      left.map(({ name }) => name).filter((name) => !before.some((each) => String(each).endsWith(name))),
    ).toEqual([]);
  });

  test("a tasks folder that is a link", async () => {
    await using world = taskWorld();
    const { task } = await world.run("true");
    await waitFor(() => !fs.existsSync(task.files.endingDraft));
    const dir = path.dirname(task.files.base);
    fs.renameSync(dir, `${dir}.moved`);
    fs.symlinkSync(tempDir(), dir);
    await expect(world.tasks.start({ command: "true", cwd: world.cwd })).rejects.toMatchObject({
      code: "launch_failed",
      message: expect.stringContaining("it is a link or not a folder"),
    });
    expect(fs.readdirSync(fs.readlinkSync(dir))).toEqual([]);
  });
});

function waitingIn(home: string): string[] {
  const { waitingDir } = holdfastPaths(home);
  return fs.existsSync(waitingDir) ? fs.readdirSync(waitingDir) : [];
}

/** What is below a home that others may read or write, or its owner may not, with its mode. */
function openFiles(home: string): string[] {
  return fs.readdirSync(home, { recursive: true, encoding: "utf8" }).flatMap((name) => {
    const stat = fs.lstatSync(path.join(home, name), { throwIfNoEntry: false });
    if (!stat || stat.isSymbolicLink()) return [];
    const isPrivate = (stat.mode & 0o777) === (stat.isDirectory() ? 0o700 : 0o600);
    return isPrivate ? [] : [`${(stat.mode & 0o777).toString(8)} ${name}`];
  });
}
