import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { isWithoutProc, realProc } from "../../../test/support/other-machine.ts";
import { markedProcesses, taskWorld } from "../../../test/support/task-world.ts";
import { seededRandom } from "../../../test/support/seeded-random.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { startTimeOf } from "../../lib/process-identity.ts";
import type { RunningState } from "../record/task-state.ts";

const has = (program: string): boolean => {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
};

/** Without /proc each look takes a process or two. */
const ROUNDS = isWithoutProc ? 8 : 30;

/** Each leaves processes of its own kind behind a command that has ended, or that never ends. */
const leavers = [
  { name: "a child in the background", command: "sleep 300 & echo started", ends: true },
  { name: "a child in its own session", command: "setsid sleep 300 & echo started", ends: true },
  {
    name: "its own session in the foreground",
    command: `echo started; perl -MPOSIX -e 'if (fork) { wait } else { setsid; exec "sleep", "300" }'`,
    ends: false,
    needs: "perl",
  },
  {
    name: "a child that ignores hangups",
    command: "nohup sleep 300 > /dev/null 2>&1 & echo started",
    ends: true,
  },
  { name: "a double fork", command: "(setsid sh -c '(sleep 300 &)' &) ; echo started", ends: true },
  { name: "a child without environment", command: "env -i sleep 300 & echo started", ends: true },
  { name: "itself without environment", command: "echo started; exec env -i sleep 300", ends: false },
  {
    name: "300 children",
    command: "n=0; while [ $n -lt 300 ]; do sleep 300 & n=$((n+1)); done; echo started",
    ends: true,
  },
  {
    name: "a child that closed all descriptors",
    command: `perl -MPOSIX -e 'exit if fork; setsid; POSIX::close($_) for 0..255; sleep 300'; echo started`,
    ends: true,
    needs: "perl",
  },
];

describe("stopTask()", () => {
  test.each(leavers)("ends $name, and has said truly that it ran", async ({ command, ends, needs }) => {
    if (needs && !has(needs)) {
      process.stdout.write(`skipped: ${needs} is not there\n`);
      return;
    }
    await using world = taskWorld();
    const task = await world.tasks.start({ command, cwd: world.cwd });
    await waitFor(() => fs.readFileSync(task.files.output, "utf8") === "started\n");
    const { pid } = await waitFor(async () => {
      const { state } = await world.tasks.refresh(task);
      return state.status === "running" && (state.survivors !== undefined) === ends && state.pid
        ? state
        : undefined;
    });
    const processes = await waitFor(() => {
      const found = ofTask(task.record.id, pid!);
      return found.some((each) => each.name === "sleep" || each.name === "perl") && found;
    });
    expect(await world.tasks.notices()).toEqual([]);
    const state = await world.tasks.stop(task, { by: "a person", reason: "enough", graceMs: 3000 });
    expect(state).toMatchObject({ status: "stopped", stoppedBy: "a person", stopReason: "enough" });
    expect(state).toHaveProperty("exitCode", ends ? 0 : 143);
    expect(processes.filter((each) => isAlive(each))).toEqual([]);
    expect(ofTask(task.record.id, pid!)).toEqual([]);
    expect(await world.tasks.notices()).toMatchObject([{ taskId: task.record.id, status: "stopped" }]);
  });

  test("ends a child that left both session and environment, by the line that it holds", async () => {
    await using world = taskWorld();
    const command = "env -i HOLDFAST_TEST_TREE=1 setsid sleep 300 & echo $!";
    const task = await world.tasks.start({ command, cwd: world.cwd });
    const pid = await waitFor(() => Number(fs.readFileSync(task.files.output, "utf8")) || undefined);
    await waitFor(() => fs.existsSync(task.files.exit) && nameOf(pid) === "sleep");
    expect((await world.tasks.refresh(task)).state).toMatchObject({ status: "running" });
    const state = await world.tasks.stop(task, { by: "x", graceMs: 1000 });
    expect(state).toMatchObject({ status: "stopped", exitCode: 0 });
    expect(startTimeOf(pid)).toBeUndefined();
  });

  test("ends a child that left everything, as long as what started it lives", async () => {
    await using world = taskWorld();
    const child = "setsid; POSIX::close($_) for 3 .. 255; %ENV = (); exec 'sleep', 300";
    const command = `perl -MPOSIX -e '$| = 1; my $pid = fork; if ($pid) { print $pid; sleep 300 } ${child.replaceAll("'", '"')}'`;
    const task = await world.tasks.start({ command, cwd: world.cwd });
    const pid = await waitFor(() => Number(fs.readFileSync(task.files.output, "utf8")) || undefined);
    await waitFor(() => nameOf(pid) === "sleep");
    expect(await world.tasks.stop(task, { by: "x", graceMs: 1000 })).toMatchObject({ status: "stopped" });
    expect(startTimeOf(pid)).toBeUndefined();
  });

  test("gives time after TERM, and KILL to what does not obey", async () => {
    await using world = taskWorld();
    const polite = await world.tasks.start({
      command: "trap 'echo bye; exit 9' TERM; echo ready; sleep 300 & wait",
      cwd: world.cwd,
    });
    const deaf = await world.tasks.start({
      command: "trap '' TERM; echo ready; sleep 300; sleep 300",
      cwd: world.cwd,
    });
    for (const { files } of [polite, deaf])
      await waitFor(() => fs.readFileSync(files.output, "utf8") === "ready\n");
    const [first, second] = await Promise.all([
      world.tasks.stop(polite, { by: "x", graceMs: 5000 }),
      world.tasks.stop(deaf, { by: "x", graceMs: 300 }),
    ]);
    expect(first).toMatchObject({ status: "stopped", exitCode: 9 });
    expect(second).toMatchObject({ status: "stopped", exitCode: 137, signal: "SIGKILL" });
    expect(fs.readFileSync(polite.files.output, "utf8")).toBe("ready\nbye\n");
  });

  test("writes no ending before the last of its processes is gone", async () => {
    await using world = taskWorld();
    for (let round = 0; round < 3; round++) {
      const command = "(trap '' TERM; sleep 300; sleep 300) & echo started";
      const task = await world.tasks.start({ command, cwd: world.cwd });
      await waitFor(() => fs.existsSync(task.files.exit));
      await new Promise((resolve) => setTimeout(resolve, round * 97));
      const stopping = world.tasks.stop(task, { by: "x", graceMs: 700 });
      let wasEarly = false;
      const watch = setInterval(() => {
        wasEarly ||= fs.existsSync(task.files.ending) && markedProcesses(task.record.id).length > 0;
      }, 1);
      await stopping;
      clearInterval(watch);
      expect(wasEarly).toBe(false);
    }
  });

  test("ends a task at any moment after its start", async () => {
    const random = seededRandom(Date.now() % 1_000_000_000);
    process.stdout.write(`stop after start, seed ${random.seed}\n`);
    await using world = taskWorld();
    for (let round = 0; round < ROUNDS; round++) {
      const task = await world.tasks.start({ command: "sleep 300", cwd: world.cwd });
      const until = performance.now() + random.next() * 15;
      while (performance.now() < until) await new Promise(setImmediate);
      const state = await world.tasks.stop(task, { by: "x", graceMs: 1000 });
      expect(state).toMatchObject({ status: "stopped" });
      expect(markedProcesses(task.record.id)).toEqual([]);
    }
  });

  test("is the same for two who stop at once", async () => {
    await using world = taskWorld();
    const task = await world.tasks.start({ command: "sleep 300", cwd: world.cwd });
    const states = await Promise.all(["first", "second"].map((by) => world.tasks.stop(task, { by })));
    expect(states[0]).toEqual(states[1]);
    expect(states[0]).toMatchObject({ status: "stopped", stoppedBy: "first" });
  });

  test("ends what a supervisor that was killed left", async () => {
    await using world = taskWorld();
    const task = await world.tasks.start({ command: "setsid sleep 300 & sleep 300; true", cwd: world.cwd });
    await waitFor(() => markedProcesses(task.record.id).length >= 3);
    const { pid } = (await world.tasks.refresh(task)).state as RunningState;
    process.kill(pid!, "SIGKILL");
    const state = await world.tasks.stop(task, { by: "x", graceMs: 2000 });
    expect(state).toMatchObject({ status: "lost" });
    expect(ofTask(task.record.id, pid!)).toEqual([]);
  });

  test("does nothing to what has ended, even if its pid belongs to others now", async () => {
    await using world = taskWorld();
    const { task } = await world.run("true");
    const bystander = await world.tasks.start({ command: "sleep 300; :", cwd: world.cwd });
    const { pid } = await waitFor(async () => {
      const { state } = await world.tasks.refresh(bystander);
      return state.status === "running" && state.pid ? (state as Required<RunningState>) : undefined;
    });
    const before = await waitFor(
      () => markedProcesses(bystander.record.id).length > 1 && markedProcesses(bystander.record.id),
    );
    // As if the session of the ended task had been given to the bystander's.
    const run = JSON.parse(fs.readFileSync(bystander.files.run, "utf8")) as object;
    fs.writeFileSync(task.files.run, JSON.stringify({ ...run, pid }));
    expect(await world.tasks.stop(task, { by: "x" })).toMatchObject({ status: "completed" });
    expect(markedProcesses(bystander.record.id)).toEqual(before);
  });

  test("ends a stopped process and its stopped supervisor", async () => {
    await using world = taskWorld();
    const task = await world.tasks.start({ command: "echo ready; kill -STOP 0; echo no", cwd: world.cwd });
    await waitFor(() => fs.readFileSync(task.files.output, "utf8") === "ready\n");
    expect(await world.tasks.stop(task, { by: "x", graceMs: 300 })).toMatchObject({ status: "stopped" });
  });

  test("does not spare what is born while it stops", async () => {
    await using world = taskWorld();
    const log = path.join(tempDir(), "log");
    const command = `trap 'sh -c "trap : TERM; sleep 0.4; echo cleaned > ${log}"; exit 3' TERM; echo ready; sleep 300 & wait`;
    const task = await world.tasks.start({ command, cwd: world.cwd });
    await waitFor(() => fs.readFileSync(task.files.output, "utf8") === "ready\n");
    const state = await world.tasks.stop(task, { by: "x", graceMs: 4000 });
    // What a command starts to clean up is given the same time as the command.
    expect(state).toMatchObject({ status: "stopped", exitCode: 3 });
    expect(fs.readFileSync(log, "utf8")).toBe("cleaned\n");
  });
});

function nameOf(pid: number): string | undefined {
  try {
    return fs.readFileSync(`${realProc}/${pid}/comm`, "utf8").trim();
  } catch {
    return undefined;
  }
}

interface FoundProcess {
  pid: number;
  name: string;
  startTime: string;
}

/** What carries a task's marker or is in its supervisor's session, without the supervisor and its helpers. */
function ofTask(id: string, supervisor: number): FoundProcess[] {
  return fs.readdirSync(realProc).flatMap((name) => {
    try {
      const stat = fs.readFileSync(`${realProc}/${name}/stat`, "latin1");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const environ = fs.readFileSync(`${realProc}/${name}/environ`, "latin1").split("\0");
      const isMarked = environ.includes(`HOLDFAST_TASK_ID=${id}`);
      // Not a tool of the supervisor's that is about to become one, or to end: that shows no arguments either.
      const isWithoutEnvironment =
        environ.length < 2 && fs.readFileSync(`${realProc}/${name}/cmdline`).length > 0;
      const isInSession = fields[3] === String(supervisor) && isWithoutEnvironment;
      if (fields[0] === "Z" || !(isMarked || isInSession)) return [];
      const program = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
      return [{ pid: Number(name), name: program, startTime: fields[19]! }];
    } catch {
      return [];
    }
  });
}

function isAlive({ pid, startTime }: FoundProcess): boolean {
  try {
    const stat = fs.readFileSync(`${realProc}/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[19] === startTime && fields[0] !== "Z";
  } catch {
    return false;
  }
}
