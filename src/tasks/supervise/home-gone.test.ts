import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { startTimeOf } from "../../lib/process-identity.ts";
import { readJson } from "../../lib/read-json.ts";
import { realProc } from "../../../test/support/other-machine.ts";
import { plantRunning } from "../../../test/support/plant-running.ts";
import { markedProcesses, supervisorShells, taskWorld } from "../../../test/support/task-world.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { concurrentTasksMax } from "../kinds/shell/limits.ts";
import type { Task } from "../record/task.ts";

/** Its pid, as soon as it is in charge. */
const supervisorOf = ({ files }: Task): Promise<number> =>
  waitFor(() => (readJson(files.run) as { pid: number } | undefined)?.pid);

/** Ends what a supervisor that waits lets a minute pass with. */
function passMinute(supervisor: number): void {
  const parents = new Map(
    fs.readdirSync(realProc).flatMap((pid) => {
      try {
        const stat = fs.readFileSync(`${realProc}/${pid}/stat`, "latin1");
        return [[Number(pid), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])]];
      } catch {
        return [];
      }
    }),
  );
  const found = [...parents].find(([, parent]) => parents.get(parent) === supervisor);
  try {
    if (found) process.kill(found[0], "SIGKILL");
  } catch {
    /* The supervisor was faster. */
  }
}
/** Whoever meets a home of which a part is deleted finds places that are free, and may take one. */
function deleteAtOnce(home: string): void {
  const gone = `${home}.gone`;
  fs.renameSync(home, gone);
  fs.rmSync(gone, { recursive: true });
}

const isGone = (pid: number): boolean => startTimeOf(pid) === undefined;

describe.each(supervisorShells)("a supervisor whose home was deleted, under %s,", (shell) => {
  test.each([
    { title: "the command", command: "until [ -e go ]; do sleep 0.05; done" },
    { title: "what closed the line", command: "until [ -e go ]; do sleep 0.05; done 7>&- & true" },
  ])("ends with $title", async ({ command }) => {
    await using world = taskWorld();
    const task = await world.startUnder(shell, { command });
    await waitFor(() => markedProcesses(task.record.id).length > 0);
    const pid = await supervisorOf(task);
    deleteAtOnce(world.home);
    fs.writeFileSync(path.join(world.cwd, "go"), "");
    await waitFor(() => isGone(pid));
    expect(markedProcesses(task.record.id)).toEqual([]);
    expect(fs.existsSync(world.home)).toBe(false);
  });

  test("ends its command when the time is up, and leaves nothing in the home that took its place", async () => {
    await using world = taskWorld();
    const task = await world.startUnder(shell, { command: "sleep 300 & sleep 300", timeoutMs: 1500 });
    await waitFor(() => markedProcesses(task.record.id).length > 0);
    const pid = await supervisorOf(task);
    deleteAtOnce(world.home);
    const other = await world.run("true");
    await waitFor(() => isGone(pid));
    expect(markedProcesses(task.record.id)).toEqual([]);
    const names = fs.readdirSync(world.home, { recursive: true, encoding: "utf8" });
    expect(names.filter((name) => name.includes(task.record.id))).toEqual([]);
    expect((await world.tasks.list({ all: true })).map(({ record }) => record.id)).toEqual([
      other.task.record.id,
    ]);
  });

  test("does not start what waited", async () => {
    await using world = taskWorld();
    const first = await world.startUnder(shell, { command: "until [ -e go ]; do sleep 0.05; done" });
    const after = { running: 0, after: [first.files.base] };
    const second = await world.startUnder(shell, { command: ": > started" }, after);
    await waitFor(() => fs.existsSync(second.files.beat));
    const pids = await Promise.all([first, second].map(supervisorOf));
    deleteAtOnce(world.home);
    fs.writeFileSync(path.join(world.cwd, "go"), "");
    await waitFor(() => pids.every(isGone));
    expect(fs.existsSync(path.join(world.cwd, "started"))).toBe(false);
  });

  test("ends while it waits for a place", async () => {
    await using world = taskWorld();
    plantRunning(world, concurrentTasksMax);
    const full = { running: concurrentTasksMax, after: [] };
    const task = await world.startUnder(shell, { command: ": > started", queue: true }, full);
    await waitFor(() => fs.existsSync(task.files.beat));
    const pid = await supervisorOf(task);
    deleteAtOnce(world.home);
    await waitFor(() => {
      passMinute(pid);
      return isGone(pid);
    });
    expect(fs.existsSync(path.join(world.cwd, "started"))).toBe(false);
  });
});
