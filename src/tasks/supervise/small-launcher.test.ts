import fs from "node:fs";
import { expect, test } from "vitest";
import { isOnAlpine, isWithoutProc } from "../../../test/support/other-machine.ts";
import { smallLaunchersOf } from "../../../test/support/small-launchers.ts";
import { startProgram } from "../../../test/support/start-program.ts";
import { basicEnv, taskWorld } from "../../../test/support/task-world.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { SmallLauncher } from "./small-launcher.ts";
import { startHere, startTask, type TaskStarter } from "./start-process.ts";

// Where setsid does not fork, the product has none.
const hasNoSetsid = isWithoutProc || isOnAlpine;

interface TestLauncher extends Disposable {
  start: TaskStarter;
  pid: () => Promise<number>;
}

function openLauncher(env: Record<string, string> = basicEnv): TestLauncher {
  const launcher = new SmallLauncher(env);
  return {
    start: (request) => startTask(request, launcher.spawnSupervisor),
    pid: () => waitFor(() => smallLaunchersOf(process.pid)[0]),
    [Symbol.dispose]: () => launcher.close(),
  };
}

test.skipIf(hasNoSetsid)("SmallLauncher starts whatever is asked for, in a session of its own", async () => {
  await using world = taskWorld({ env: { ...basicEnv, "a.b": "runtime's", A: "no" } });
  using launcher = openLauncher({ ...basicEnv, "a.b": "runtime's", A: "no" });
  const command = `printf '%s\\n' "it's" "$A" 'Ж 日本 \\ $x'\n\n printenv a.b; kill -INT $$; echo no`;
  const task = await world.startUnder(launcher.start, { command, env: { A: "a\n b\n", SHELL: "/bin/bash" } });
  expect(await world.ended(task)).toMatchObject({
    stdout: "it's\na\n b\n\nЖ 日本 \\ $x\nruntime's\n",
    state: { status: "failed", signal: "SIGINT" },
  });
  expect(smallLaunchersOf(process.pid)).toHaveLength(1);
});

test.skipIf(hasNoSetsid)("SmallLauncher starts 50 tasks at once, each with its own output", async () => {
  await using world = taskWorld();
  using launcher = openLauncher();
  const numbers = Array.from({ length: 50 }, (_, n) => n);
  const ended = await Promise.all(
    numbers.map(async (n) =>
      world.ended(await world.startUnder(launcher.start, { command: `echo ${n}; echo err ${n} >&2` })),
    ),
  );
  expect(ended.map(({ stdout, stderr }) => stdout + stderr)).toEqual(numbers.map((n) => `${n}\nerr ${n}\n`));
  expect(smallLaunchersOf(process.pid)).toHaveLength(1);
});

test.skipIf(hasNoSetsid)(
  "SmallLauncher loses no launch, and starts none twice, when it is killed while it works",
  async () => {
    await using world = taskWorld();
    using launcher = openLauncher();
    for (let round = 0; round < 10; round++) {
      await world.ended(await world.startUnder(launcher.start, { command: "true" }));
      const pid = await launcher.pid();
      const starting = Array.from({ length: 10 }, (_, n) =>
        world.startUnder(launcher.start, { command: `echo ${n}` }),
      );
      const until = performance.now() + round;
      while (performance.now() < until) await new Promise(setImmediate);
      process.kill(pid, "SIGKILL");
      for (const [n, task] of (await Promise.all(starting)).entries())
        expect(await world.ended(task)).toMatchObject({ stdout: `${n}\n`, state: { status: "completed" } });
    }
    expect(await world.tasks.list({ all: true })).toHaveLength(110);
  },
);

test.skipIf(hasNoSetsid)(
  "SmallLauncher that was stopped holds up no launch, and starts nothing twice when it goes on",
  async () => {
    await using world = taskWorld();
    using launcher = openLauncher();
    await world.startUnder(launcher.start, { command: "true" });
    const pid = await launcher.pid();
    process.kill(pid, "SIGSTOP");
    const task = await world.startUnder(launcher.start, { command: "echo once" });
    expect(await world.ended(task)).toMatchObject({ stdout: "once\n" });
    const next = await world.startUnder(launcher.start, { command: "echo next" });
    process.kill(pid, "SIGCONT");
    await waitFor(() => !smallLaunchersOf(process.pid).includes(pid));
    expect(await world.ended(next)).toMatchObject({ stdout: "next\n" });
    expect(fs.readFileSync(task.files.output, "utf8")).toBe("once\n");
  },
);

test.skipIf(hasNoSetsid).each(["SIGKILL", "end"] as const)(
  "SmallLauncher ends with its process, by %s, and its tasks go on",
  async (how) => {
    await using world = taskWorld();
    const program = startProgram("task-launcher", [world.home, world.cwd, "200"]);
    program.say(JSON.stringify({ command: "sleep 0.3; echo done" }));
    await waitFor(() => program.lines.length === 2);
    expect(smallLaunchersOf(program.pid)).toHaveLength(1);
    const { id } = JSON.parse(program.lines[1]!) as { id: string };
    if (how === "end") program.child.stdin!.end();
    else program.kill(how);
    expect((await program.ended()).code).toBe(how === "end" ? 0 : null);
    await waitFor(() => smallLaunchersOf(program.pid).length === 0);
    expect(await world.ended(await world.tasks.find(id))).toMatchObject({
      stdout: "done\n",
      state: { status: "completed" },
    });
  },
);

test.skipIf(hasNoSetsid)("SmallLauncher leaves nothing when it is closed", async () => {
  await using world = taskWorld();
  using launcher = openLauncher();
  await world.startUnder(launcher.start, { command: "true" });
  launcher[Symbol.dispose]();
  await waitFor(() => smallLaunchersOf(process.pid).length === 0);
  expect(await world.tasks.list({ all: true })).toHaveLength(1);
});

test.each([
  ["a name", ":"],
  ["more than half a name", ': > "$2.run"'],
])("a supervisor that is killed before it has %s leaves a task that is lost", async (_what, script) => {
  await using world = taskWorld();
  const start: TaskStarter = (request) => startHere({ ...request, script: `${script}; kill -9 $$` });
  const task = await world.startUnder(start, { command: "true" });
  expect(await world.ended(task)).toMatchObject({
    state: { status: "lost", cause: "the process that would start it died before" },
  });
});

test("a supervisor that begins late, when its launcher is dead, still takes charge of its task", async () => {
  await using world = taskWorld();
  const start: TaskStarter = (request) => {
    const record = JSON.parse(request.record) as { launcher: object };
    // Above every pid that Linux gives out.
    record.launcher = { ...record.launcher, pid: 4_194_999 };
    const late = { record: `${JSON.stringify(record)}\n`, script: `sleep 1; ${request.script}` };
    return startHere({ ...request, ...late });
  };
  const task = await world.startUnder(start, { command: "echo late" });
  expect(task.state).toEqual({ status: "running" });
  expect(await world.ended(task)).toMatchObject({ stdout: "late\n", state: { status: "completed" } });
});

test.skipIf(hasNoSetsid)(
  "SmallLauncher gives a command nothing of an environment that it replaces",
  async () => {
    // Two pieces of the runtime's environment, the second of which would be left over.
    const large = ["LARGE_0", "LARGE_1", "LARGE_2"];
    const env = { ...basicEnv, ...Object.fromEntries(large.map((name) => [name, "x".repeat(60_000)])) };
    await using world = taskWorld({ env });
    using launcher = openLauncher(env);
    const task = await world.startUnder(launcher.start, {
      command: `printenv UID ${large.join(" ")}`,
      env: { ...Object.fromEntries(large.map((name) => [name, name])), UID: "odd" },
    });
    expect(await world.ended(task)).toMatchObject({ stdout: `odd\n${large.join("\n")}\n`, stderr: "" });
  },
);
