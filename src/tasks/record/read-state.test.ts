import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { realProc } from "../../../test/support/other-machine.ts";
import { taskWorld, markedProcesses } from "../../../test/support/task-world.ts";
import { startProgram } from "../../../test/support/start-program.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { newTaskId } from "../../format/ids.ts";
import { projectKey } from "../../format/paths.ts";
import { lookAtProcesses } from "../../lib/process-table.ts";
import { currentProcess, startTimeOf, type ProcessIdentity } from "../../lib/process-identity.ts";
import { supervisorText } from "../supervise/supervisor-text.ts";
import { silenceMsMax } from "../limits.ts";
import { readState } from "./read-state.ts";
import { readTask, type Task } from "./task.ts";
import { taskFiles, type TaskFiles } from "./task-files.ts";
import type { TaskRecord } from "./task-record.ts";
import type { RunningState } from "./task-state.ts";

describe("readState()", () => {
  test("says running with the supervisor's pid, then completed with the time it ended", async () => {
    await using world = taskWorld();
    const from = Date.now();
    const task = await world.tasks.start({ command: "sleep 300", cwd: world.cwd });
    const running = await waitFor(
      async () => hasPid(await world.tasks.refresh(task)) && (await world.tasks.refresh(task)).state,
    );
    expect(running).toEqual({ status: "running", pid: expect.any(Number) });
    const { state } = await world.run("true");
    expect(state).toEqual({ status: "completed", exitCode: 0, endedAt: expect.any(String) });
    expect(Date.parse(state.endedAt)).toBeGreaterThanOrEqual(from - 10);
    expect(Date.parse(state.endedAt)).toBeLessThanOrEqual(Date.now() + 10);
  });

  test("never changes an ending that was written", async () => {
    await using world = taskWorld();
    const { task, state } = await world.run("exit 7");
    fs.writeFileSync(task.files.run, JSON.stringify({ pid: 1, startTime: "0", bootId: "another" }));
    expect((await world.tasks.refresh(task)).state).toEqual(state);
    await world.tasks.stop(task, { by: "too late" });
    expect((await world.tasks.refresh(task)).state).toEqual(state);
  });

  test("says of a run on the fleet what its log said: a stop that came too late changes nothing", async () => {
    await using world = taskWorld();
    const { task } = await world.run("true");
    const id = newTaskId("remote", randomBytes, () => false);
    const files = taskFiles(world.home, { projectKey: projectKey(world.cwd), id });
    fs.writeFileSync(files.stop, JSON.stringify({ by: "somebody", at: "2026-11-20T00:00:00.000Z" }));
    const stateWith = (outcome: object | undefined, exitCode: number): object => {
      fs.writeFileSync(files.ending, JSON.stringify({ schemaVersion: 1, exitCode, reason: "stopped" }));
      fs.rmSync(files.result, { force: true });
      if (outcome) fs.writeFileSync(files.result, JSON.stringify({ schemaVersion: 1, outcome }));
      return readState(files, task.record);
    };
    expect(stateWith({ status: "completed" }, 0)).toMatchObject({ status: "completed", exitCode: 0 });
    const failed = { status: "failed", reason: "agent-error", error: "it broke" };
    expect(stateWith(failed, 1)).toMatchObject({ status: "failed", reason: "agent-error" });
    expect(stateWith({ status: "interrupted" }, 143)).toMatchObject({
      status: "stopped",
      stoppedBy: "somebody",
    });
    expect(stateWith(undefined, 143)).toMatchObject({ status: "stopped", stoppedBy: "somebody" });
  });

  test("takes an ending that its supervisor could write but not name before it was killed", async () => {
    await using world = taskWorld();
    const task = await world.tasks.start({ command: "sleep 300", cwd: world.cwd });
    const { pid } = (await waitFor(
      async () => hasPid(await world.tasks.refresh(task)) && (await world.tasks.refresh(task)).state,
    )) as RunningState;
    process.kill(-pid!, "SIGKILL");
    await waitFor(() => !fs.existsSync(`${realProc}/${pid}`));
    fs.writeFileSync(task.files.endingDraft, '{"schemaVersion":1,"exitCode":7,"reason":"exit"}   ');
    expect((await world.tasks.refresh(task)).state).toMatchObject({ status: "failed", exitCode: 7 });
    expect(fs.statSync(task.files.ending).ino).toBe(fs.statSync(task.files.endingDraft).ino);
    expect(await world.tasks.list()).toEqual([]);
    expect(fs.existsSync(task.files.endingDraft)).toBe(false);
  });

  test("says lost once for all when the supervisor was killed and nothing of the task runs", async () => {
    await using world = taskWorld();
    const task = await world.tasks.start({ command: "exec sleep 300", cwd: world.cwd });
    await waitFor(
      async () => markedProcesses(task.record.id).length > 0 && hasPid(await world.tasks.refresh(task)),
    );
    const { pid } = (await world.tasks.refresh(task)).state as RunningState;
    process.kill(pid!, "SIGKILL");
    await waitFor(() => !fs.existsSync(`${realProc}/${pid}`));
    // The command has not ended only because nobody waits for it any more.
    expect((await world.tasks.refresh(task)).state.status).toBe("running");
    expect(await world.tasks.notices()).toEqual([]);
    for (const marked of markedProcesses(task.record.id)) process.kill(marked, "SIGKILL");
    const { state } = await world.ended(task);
    const cause = `its supervisor (pid ${pid}) is gone without an ending`;
    expect(state).toEqual({ status: "lost", endedAt: expect.any(String), cause });
    expect((await world.tasks.refresh(task)).state).toEqual(state);
  });

  test.each([
    ["in its session", "env -i sleep 300"],
    ["that holds the line", "env -i HOLDFAST_TEST_TREE=1 setsid sleep 300"],
  ])("does not say lost while a child %s lives that has cleared its environment", async (_where, command) => {
    await using world = taskWorld();
    const task = await world.tasks.start({ command: `${command} & echo $!; wait`, cwd: world.cwd });
    const child = await waitFor(() => Number(fs.readFileSync(task.files.output, "utf8")) || undefined);
    await waitFor(() => lookAtProcesses().command(child).startsWith("sleep"));
    const { pid } = (await waitFor(
      async () => hasPid(await world.tasks.refresh(task)) && (await world.tasks.refresh(task)).state,
    )) as RunningState;
    process.kill(pid!, "SIGKILL");
    for (const marked of markedProcesses(task.record.id)) process.kill(marked, "SIGKILL");
    await waitFor(() => markedProcesses(task.record.id).length === 0 && startTimeOf(pid!) === undefined);
    expect((await world.tasks.refresh(task)).state.status).toBe("running");
    expect((await world.tasks.stop(task, { by: "test" })).status).toBe("lost");
    expect(startTimeOf(child)).toBeUndefined();
  });

  test("has 8 racing readers agree on one lost ending", async () => {
    await using world = taskWorld();
    const readers = Array.from({ length: 8 }, () => startProgram("task-reader", [world.home]));
    try {
      await waitFor(() => readers.every(({ lines }) => lines.includes("ready")));
      for (let round = 1; round <= 5; round++) {
        const { files, pid } = await writeLostTask(world);
        for (const reader of readers) reader.say(files.id);
        await waitFor(() => readers.every(({ lines }) => lines.length > round));
        const states = readers.map(({ lines }) => lines[round]!);
        expect(JSON.parse(states[0]!)).toMatchObject({
          status: "lost",
          cause: expect.stringContaining(`${pid}`),
        });
        expect(new Set(states).size).toBe(1);
      }
    } finally {
      for (const reader of readers) reader.kill();
      await Promise.all(readers.map((reader) => reader.ended()));
    }
  });

  test("takes a process with the supervisor's old pid for another one", async () => {
    await using world = taskWorld();
    const { files } = await writeLostTask(world, { run: { pid: process.pid, startTime: "1" } });
    const task = readTask(files)!;
    expect(task.state.status).toBe("lost");
    await world.tasks.stop(task, { by: "test" });
  });

  test.each([
    ["another machine", { host: "elsewhere", bootId: "b" }],
    ["another container", { pidNamespace: "pid:[1]" }],
  ])("calls a task of %s running, because it cannot look there", async (_where, launcher) => {
    await using world = taskWorld();
    const { files } = await writeLostTask(world, { launcher });
    const task = readTask(files)!;
    const { host } = task.record.launcher;
    expect(task.state).toMatchObject({ status: "running", unseen: { host } });
    await expect(world.tasks.stop(task, { by: "test" })).rejects.toMatchObject({ code: "stop_failed" });
    await expect(world.tasks.remove(task)).rejects.toThrow(`it runs on "${host}", as far as can be known`);
    const given = await world.tasks.stop(task, { by: "test", reason: "old", isForced: true });
    const cause = `given up by test (old): it ran on "${host}", which cannot be seen from there, and may still run`;
    expect(given).toMatchObject({ status: "lost", cause });
    await world.tasks.remove(task);
  });

  test("declares a task that it cannot see lost when it has fallen silent, and keeps one that beats", async () => {
    await using world = taskWorld();
    const { files } = await writeLostTask(world, { launcher: { pidNamespace: "pid:[1]" } });
    const beat = (ageMs: number): void => {
      fs.writeFileSync(files.beat, "");
      fs.utimesSync(files.beat, new Date(), new Date(Date.now() - ageMs));
    };
    beat(3 * silenceMsMax);
    const lastBeatAt = fs.statSync(files.beat).mtime.toISOString();
    expect(readTask(files)?.state).toMatchObject({ status: "running", unseen: { lastBeatAt } });
    fs.utimesSync(files.asked, new Date(), new Date(Date.now() - 2 * silenceMsMax));
    beat(0);
    expect(readTask(files)?.state.status).toBe("running");
    beat(3 * silenceMsMax);
    fs.utimesSync(files.asked, new Date(), new Date(Date.now() - 2 * silenceMsMax));
    const cause = expect.stringContaining("has given no sign of life since");
    expect(readTask(files)?.state).toMatchObject({ status: "lost", cause });
    expect(readTask(files)?.state).toMatchObject({ status: "lost", cause });
  });

  test.each(["", " ".repeat(512), "null", "{}", "[1", '{"schemaVersion":1,"reason":"else"}'])(
    "says lost when the ending is %j, as after a power failure",
    async (text) => {
      await using world = taskWorld();
      const { task } = await world.run("true");
      fs.writeFileSync(task.files.ending, text);
      const { state } = await world.tasks.find(task.record.id);
      expect(state).toEqual({
        status: "lost",
        endedAt: expect.any(String),
        cause: "its ending cannot be read",
      });
    },
  );

  test("says lost of a task of another boot, also when the run file stayed empty", async () => {
    await using world = taskWorld();
    const { files } = await writeLostTask(world, { launcher: { bootId: "another" } });
    expect(readTask(files)!.state.status).toBe("lost");
    const empty = await writeLostTask(world, { run: "empty", launcher: { bootId: "another" } });
    expect(readTask(empty.files)!.state.status).toBe("lost");
  });

  test("says lost of a task whose launcher died before it started, and keeps it from starting", async () => {
    await using world = taskWorld();
    const { files } = await writeLostTask(world, { run: "none" });
    const task = readTask(files)!;
    expect(task.state).toMatchObject({
      status: "lost",
      cause: "the process that would start it died before",
    });
    const script = supervisorText();
    const args = [task.record.id, task.files.base, "/bin/sh", "echo ran", "", "", "", "50", "", "", ""];
    const late = spawn("/bin/sh", ["-c", script, "holdfast-supervisor", ...args]);
    const output: Buffer[] = [];
    late.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    await new Promise((resolve) => late.on("close", resolve));
    expect(Buffer.concat(output).toString()).toBe("");
    expect(readTask(task.files)!.state).toEqual(task.state);
  });

  test("waits for a supervisor that has begun and not yet said who it is", async () => {
    await using world = taskWorld();
    const { files } = await writeLostTask(world, { run: "empty" });
    expect(readTask(files)!.state).toEqual({ status: "running" });
    fs.rmSync(files.record);
  });

  test("says lost, and writes nothing, when the files are gone", async () => {
    await using world = taskWorld();
    const { task } = await world.run("true");
    await world.tasks.remove(task);
    expect(readState(task.files, task.record)).toMatchObject({
      status: "lost",
      cause: "its files were removed",
    });
    expect(fs.readdirSync(path.dirname(task.files.base))).toEqual([]);
  });
});

describe("readTask()", () => {
  test.each(["", "{", "null", "[]", '"text"', '{"schemaVersion":2}', '{"schemaVersion":1}'])(
    "passes over a record that is %j",
    async (text) => {
      await using world = taskWorld();
      const { task } = await world.run("true");
      fs.writeFileSync(path.join(path.dirname(task.files.base), "bplanted1.json"), text);
      expect((await world.tasks.list({ all: true })).map(({ record }) => record.id)).toEqual([
        task.record.id,
      ]);
      expect((await world.tasks.notices()).map(({ taskId }) => taskId)).toEqual([task.record.id]);
    },
  );
});

function hasPid({ state }: Task): boolean {
  return state.status === "running" && state.pid !== undefined;
}

interface LostTask {
  /** What the run file says beyond the pid of a dead process. */
  run?: Partial<ProcessIdentity> | "empty" | "none";
  launcher?: Partial<ProcessIdentity>;
}

/** Writes the files of a task that nobody supervises any more, as its launcher, a process that is dead, left them. */
async function writeLostTask(
  { home, cwd }: { home: string; cwd: string },
  { run = {}, launcher = {} }: LostTask = {},
): Promise<{ files: TaskFiles; pid: number }> {
  const dead = spawn("true");
  const pid = dead.pid!;
  await new Promise((resolve) => dead.on("close", resolve));
  const id = newTaskId("bash", randomBytes, () => false);
  const files = taskFiles(home, { projectKey: projectKey(cwd), id });
  fs.mkdirSync(path.dirname(files.base), { recursive: true, mode: 0o700 });
  const record: TaskRecord = {
    schemaVersion: 1,
    id,
    kind: "local_bash",
    description: "sleep",
    command: "sleep 300",
    cwd,
    startedAt: new Date().toISOString(),
    launcher: { ...currentProcess(), pid, startTime: "1", ...launcher },
    shell: {
      shell: "/bin/sh",
      merged: false,
      tty: false,
      sandbox: false,
      stdin: false,
      outputBytesMax: 1e9,
      keepTail: false,
    },
  };
  const { bootId } = record.launcher;
  if (run === "empty") fs.writeFileSync(files.run, "");
  else if (run !== "none")
    fs.writeFileSync(files.run, JSON.stringify({ pid, startTime: "1", bootId, ...run }));
  fs.writeFileSync(files.record, JSON.stringify(record));
  return { files, pid };
}
