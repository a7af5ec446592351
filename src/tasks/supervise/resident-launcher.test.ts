import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { residentLaunchersOf } from "../../../test/support/resident-launchers.ts";
import { basicEnv, supervisorShells, taskWorld, type TaskWorld } from "../../../test/support/task-world.ts";
import { startProgram } from "../../../test/support/start-program.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { concurrentTasksMax } from "../kinds/shell/limits.ts";
import { shellQuote } from "../../lib/shell-quote.ts";
import { readJson } from "../../lib/read-json.ts";
import { ResidentLauncher } from "./resident-launcher.ts";
import { startHere, type TaskStarter } from "./start-process.ts";
import { supervisorText } from "./supervisor-text.ts";
import type { Task } from "../record/task.ts";

function launcherBy(shell: string): ResidentLauncher & Disposable {
  const launcher = new ResidentLauncher(basicEnv, shell);
  return Object.assign(launcher, { [Symbol.dispose]: () => launcher.close() });
}

async function oneLauncher(): Promise<number> {
  return waitFor(() => residentLaunchersOf(process.pid)[0]);
}

/** The one that waits in the place of the one that has become this task's supervisor. */
async function launcherAfter({ files }: Task, client: number): Promise<number> {
  return waitFor(() => {
    const supervisor = (readJson(files.run) as { pid: number } | undefined)?.pid;
    const found = residentLaunchersOf(client);
    return found.length === 1 && supervisor !== undefined && found[0] !== supervisor && found[0];
  });
}

describe("ResidentLauncher, which looks at the disk instead of its process,", () => {
  // The first task is started by spawn, the second one starts the resident launcher.
  async function worldWithLauncher(): Promise<TaskWorld> {
    const world = taskWorld();
    await world.run("true");
    const { task } = await world.run("true");
    await waitFor(() => !fs.existsSync(task.files.endingDraft));
    return world;
  }

  test("leaves a launch whose folder is gone to who makes it", async () => {
    await using world = await worldWithLauncher();
    fs.rmSync(path.join(world.home, "running"), { recursive: true });
    const cwd = tempDir();
    expect(await world.run("echo one")).toMatchObject({ stdout: "one\n" });
    expect(await world.run("echo two", { cwd })).toMatchObject({ stdout: "two\n" });
    expect(residentLaunchersOf(process.pid)).toHaveLength(1);
  });

  test("goes through no link that was put in the place of a folder", async () => {
    await using world = await worldWithLauncher();
    const [running, elsewhere] = [path.join(world.home, "running"), tempDir()];
    fs.rmdirSync(running);
    fs.symlinkSync(elsewhere, running);
    await expect(world.tasks.start({ command: "true", cwd: world.cwd })).rejects.toMatchObject({
      code: "launch_failed",
      message: expect.stringContaining("it is a link or not a folder"),
    });
    expect(fs.readdirSync(elsewhere)).toEqual([]);
    expect(await world.tasks.list({ all: true })).toHaveLength(2);
  });

  test("starts none when as many run as may, and one that is to wait waits", async () => {
    await using world = await worldWithLauncher();
    const ahead = await world.tasks.start({ command: "exec sleep 300", cwd: world.cwd });
    const name = path.basename(ahead.files.endingDraft);
    const others = Array.from({ length: concurrentTasksMax - 1 }, (_, n) =>
      path.join(world.home, "running", name.replace(/[^.]*$/, `b${String(n).padStart(8, "0")}`)),
    );
    for (const other of others) fs.writeFileSync(other, "");
    const request = { command: "echo at last", cwd: world.cwd };
    await expect(world.tasks.start(request)).rejects.toMatchObject({ code: "task_limit" });
    const task = await world.tasks.start({ ...request, queue: true });
    expect(task.record.shell.waitsFor?.bases).toContain(ahead.files.base);
    expect(await world.ended(task)).toMatchObject({ stdout: "at last\n" });
  });

  test.each([
    ["answers", () => {}],
    ["is killed", (launcher: number) => process.kill(launcher, "SIGKILL")],
  ])("touches no file of a task that has the id already, when it %s", async (_how, meet) => {
    await using world = await worldWithLauncher();
    const { task, state } = await world.run("echo mine");
    await waitFor(() => !fs.existsSync(task.files.endingDraft));
    const files = fs.readdirSync(path.dirname(task.files.base));
    const launcher = new ResidentLauncher(basicEnv);
    try {
      const starting = launcher.startUnchecked({
        script: supervisorText(),
        args: [task.record.id, task.files.base, "/bin/sh", "echo another's"],
        cwd: world.cwd,
        runtimeEnv: basicEnv,
        env: {},
        files: task.files,
        record: '{"another":"record"}\n',
        streams: { stdout: task.files.output, stderr: task.files.stderr },
      });
      meet(residentLaunchersOf(process.pid).at(-1)!);
      expect(await starting).toBe(false);
    } finally {
      launcher.close();
    }
    expect(fs.readdirSync(path.dirname(task.files.base))).toEqual(files);
    expect((await world.tasks.refresh(task)).state).toEqual(state);
    expect(fs.readFileSync(task.files.output, "utf8")).toBe("mine\n");
  });
});

describe.each(supervisorShells)("ResidentLauncher by %s", (shell) => {
  test("starts whatever is asked for, and a new one when the one that waits is killed beside its tasks", async () => {
    using launcher = launcherBy(shell);
    await using world = taskWorld();
    const start = (request: { command: string; env?: Record<string, string> }): Promise<Task> =>
      world.startUnder(launcher.start, request);
    const command = "printf '%s\\n' \"it's\" \"$A\" 'Ж 日本 \\ $x'\n\n echo two";
    const env = { A: "a\n b\n" };
    const stdout = "it's\na\n b\n\nЖ 日本 \\ $x\ntwo\n";
    expect(await world.ended(await start({ command, env }))).toMatchObject({
      stdout,
      state: { status: "completed" },
    });
    for (let round = 0; round < 3; round++) {
      const long = await start({ command: "exec sleep 300" });
      process.kill(await launcherAfter(long, process.pid), "SIGKILL");
      await waitFor(() => residentLaunchersOf(process.pid).length === 0);
      expect(await world.ended(await start({ command: "echo next" }))).toMatchObject({ stdout: "next\n" });
      expect((await world.tasks.refresh(long)).state.status).toBe("running");
    }
    launcher.close();
    await waitFor(() => residentLaunchersOf(process.pid).length === 0);
  });
});

/** A bash whose first launcher is killed when it comes to a place in its text. */
function shellKilledAt(place: string): string {
  const dir = tempDir();
  const shell = path.join(dir, "bash");
  const kill = `mkdir ${dir}/killed && kill -9 $$; ${place}`;
  const script = `#!/bin/bash
args=("$@")
args[3]=\${args[3]/${shellQuote(place)}/${shellQuote(kill)}}
exec /bin/bash "\${args[@]}"
`;
  fs.writeFileSync(shell, script, { mode: 0o700 });
  return shell;
}

describe.skipIf(!supervisorShells.includes("/bin/bash"))("ResidentLauncher killed", () => {
  test.each([
    ["before it does anything", "_is_wanted || exit", "completed"],
    ["when the record is there", "echo recorded >&3", "completed"],
    ["when all is made", "echo started >&3", "completed"],
    ["when it has answered", "take_charge\n  _is_in_charge=1", "completed"],
    ["when it has half a name", `printf '{"pid"`, "completed"],
    ["when it is in charge", "_is_in_charge=1\n  echo", "lost"],
    ["before another one waits", "_wait_in_our_place <", "lost"],
    ["when another one waits", "exec 3>&-", "lost"],
  ])("%s: the task ends truly, and the next one runs", async (_when, place, status) => {
    const shell = shellKilledAt(place);
    using launcher = launcherBy(shell);
    await using world = taskWorld();
    const first = await world.startUnder(launcher.start, { command: "echo one" });
    const stdout = status === "completed" ? "one\n" : "";
    expect(await world.ended(first)).toMatchObject({ stdout, state: { status } });
    const next = await world.startUnder(launcher.start, { command: "echo two" });
    expect(await world.ended(next)).toMatchObject({ stdout: "two\n", state: { status: "completed" } });
    expect(fs.existsSync(path.join(path.dirname(shell), "killed"))).toBe(true);
    launcher.close();
    await waitFor(() => residentLaunchersOf(process.pid).length === 0);
  });
});

test.each([
  ["a name", ":"],
  ["more than half a name", ': > "$2.run"'],
])("a supervisor that is killed before it has %s leaves a task that is lost", async (_what, script) => {
  await using world = taskWorld();
  const start: TaskStarter = (request) => startHere({ ...request, script: `${script}; kill -9 $$` });
  const task = await world.startUnder(start, { command: "true" });
  expect(await world.ended(task)).toMatchObject({
    state: { status: "lost", cause: "whoever was to start it died before" },
  });
});

test.each([
  ["is one that nobody knows", (shell: string) => fs.copyFileSync("/bin/sh", shell)],
  ["is not there", () => {}],
])("ResidentLauncher starts tasks from its own process when the shell %s", async (_how, make) => {
  await using world = taskWorld();
  const shell = path.join(tempDir(), "unknown");
  make(shell);
  using launcher = launcherBy(shell);
  for (const text of ["one", "two"]) {
    const task = await world.startUnder(launcher.start, { command: `echo ${text}` });
    expect(await world.ended(task)).toMatchObject({ stdout: `${text}\n` });
  }
  expect(residentLaunchersOf(process.pid)).toEqual([]);
});

describe("ResidentLauncher", () => {
  test("starts 50 tasks at once, each with its own output", async () => {
    await using world = taskWorld();
    await world.run("true");
    const numbers = Array.from({ length: 50 }, (_, n) => n);
    const ended = await Promise.all(numbers.map((n) => world.run(`echo ${n}; echo err ${n} >&2`)));
    expect(ended.map(({ stdout, stderr }) => stdout + stderr)).toEqual(
      numbers.map((n) => `${n}\nerr ${n}\n`),
    );
    expect(residentLaunchersOf(process.pid)).toHaveLength(1);
  });

  test("is replaced when it was killed between launches, without a launch lost", async () => {
    await using world = taskWorld();
    await world.run("true");
    for (let round = 0; round < 20; round++) {
      await world.run("true");
      process.kill(await oneLauncher(), "SIGKILL");
      // At once: nobody has told this process of the death yet.
      const { stdout, state } = await world.run(`echo ${round}`);
      expect({ stdout, status: state.status }).toEqual({ stdout: `${round}\n`, status: "completed" });
    }
  });

  // Once it has answered it is the supervisor of a task, which is lost with it.
  test("loses no other launch, and starts none twice, when it is killed while it works", async () => {
    await using world = taskWorld();
    await world.run("true");
    for (let round = 0; round < 10; round++) {
      await world.run("true");
      const launcher = await oneLauncher();
      const running = Array.from({ length: 10 }, (_, n) => world.run(`echo ${n}`));
      await new Promise((resolve) => setTimeout(resolve, round));
      process.kill(launcher, "SIGKILL");
      for (const [n, { task, state, stdout }] of (await Promise.all(running)).entries()) {
        const { pid } = JSON.parse(fs.readFileSync(task.files.run, "utf8")) as { pid: number };
        const either = pid === launcher ? ["lost", "completed"] : ["completed"];
        expect(either).toContain(state.status);
        expect(stdout).toBe(state.status === "completed" ? `${n}\n` : stdout && `${n}\n`);
      }
    }
    expect(await world.tasks.list({ all: true })).toHaveLength(111);
  });

  test("goes on after stop of its own launcher's process, which answers later", async () => {
    await using world = taskWorld();
    await world.run("true");
    await world.run("true");
    const launcher = await oneLauncher();
    process.kill(launcher, "SIGSTOP");
    const running = world.run("echo late");
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.kill(launcher, "SIGCONT");
    expect((await running).stdout).toBe("late\n");
  });

  test("lets its process end while it is idle, and ends with it", async () => {
    await using world = taskWorld();
    const program = startProgram("task-launcher", [world.home, world.cwd, "200"]);
    program.say(JSON.stringify({ command: "sleep 0.3; echo done" }));
    await waitFor(() => program.lines.length === 2);
    const { id } = JSON.parse(program.lines[1]!) as { id: string };
    const launcher = await launcherAfter(await world.tasks.find(id), program.pid);
    program.child.stdin!.end();
    expect(await program.ended()).toEqual({ code: 0, signal: null });
    await waitFor(() => !fs.existsSync(`/proc/${launcher}`));
    expect(await world.ended(await world.tasks.find(id))).toMatchObject({
      stdout: "done\n",
      state: { status: "completed" },
    });
  });

  test("starts nothing more for a process that was killed", async () => {
    await using world = taskWorld();
    const program = startProgram("task-launcher", [world.home, world.cwd, "200"]);
    program.say(JSON.stringify({ command: "true" }));
    await waitFor(() => program.lines.length === 2);
    const { id } = JSON.parse(program.lines[1]!) as { id: string };
    const launcher = await launcherAfter(await world.tasks.find(id), program.pid);
    process.kill(launcher, "SIGSTOP");
    for (let n = 0; n < 20; n++) program.say(JSON.stringify({ command: "sleep 300" }));
    // The others have been passed on when this is refused.
    program.say(JSON.stringify({ command: "" }));
    await waitFor(() => program.lines.length === 3);
    program.kill("SIGKILL");
    await program.ended();
    process.kill(launcher, "SIGCONT");
    await waitFor(() => !fs.existsSync(`/proc/${launcher}`));
    expect(await world.tasks.list({ all: true })).toHaveLength(1);
  });

  test("ends when its process is killed", async () => {
    await using world = taskWorld();
    const program = startProgram("task-launcher", [world.home, world.cwd, "200"]);
    program.say(JSON.stringify({ command: "true" }));
    await waitFor(() => program.lines.length === 2);
    const { id } = JSON.parse(program.lines[1]!) as { id: string };
    const launcher = await launcherAfter(await world.tasks.find(id), program.pid);
    program.kill("SIGKILL");
    await program.ended();
    await waitFor(() => !fs.existsSync(`/proc/${launcher}`));
    expect(residentLaunchersOf(program.pid)).toEqual([]);
  });
});
