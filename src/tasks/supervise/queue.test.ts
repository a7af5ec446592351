import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  markedProcesses,
  supervisorShells,
  taskWorld,
  type TaskWorld,
} from "../../../test/support/task-world.ts";
import { realProc } from "../../../test/support/other-machine.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { holdfastPaths, projectKey } from "../../format/paths.ts";
import { concurrentTasksMax } from "../kinds/shell/limits.ts";
import { taskFiles, type TaskFiles } from "../record/task-files.ts";
import type { Task } from "../record/task.ts";

/** The files of as many tasks as may run, without the processes. */
function plantAll(world: TaskWorld): TaskFiles[] {
  return Array.from({ length: concurrentTasksMax }, (_, n) => {
    const files = taskFiles(world.home, { projectKey: projectKey(world.cwd), id: `bfake${1000 + n}` });
    fs.mkdirSync(path.dirname(files.base), { recursive: true, mode: 0o700 });
    fs.writeFileSync(files.record, "{}");
    return files;
  });
}

const basesOf = (files: Pick<TaskFiles, "base">[]): string[] => files.map(({ base }) => base);
const supervisorOf = ({ files }: Task): number =>
  (JSON.parse(fs.readFileSync(files.run, "utf8")) as { pid: number }).pid;
const waitingIn = ({ home }: TaskWorld): string[] => fs.readdirSync(holdfastPaths(home).waitingDir);
const isWaiting = (world: TaskWorld, { record }: Task): boolean =>
  waitingIn(world).some((name) => name.includes(`.${record.id}.`));

/** How often the processes of a supervisor's session have given up the processor, and who they are. */
function activity(session: number): string {
  const members = fs
    .readdirSync(realProc)
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = fs.readFileSync(`${realProc}/${pid}/stat`, "latin1");
        if (stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3] !== String(session)) return [];
        return [
          `${pid} ${/^voluntary.*$/m.exec(fs.readFileSync(`${realProc}/${pid}/status`, "latin1"))![0]}`,
        ];
      } catch {
        return [];
      }
    });
  return members.join();
}

describe.each(supervisorShells)("a task that waits, under %s,", (shell) => {
  test("blocks while it waits, and starts when the one ahead ends", async () => {
    await using world = taskWorld();
    const first = await world.startUnder(shell, { command: "read line", stdin: true });
    const after = { running: [], after: [first.files.base] };
    const second = await world.startUnder(shell, { command: "echo second" }, after);
    await waitFor(() => fs.existsSync(second.files.run) && isWaiting(world, second));
    let seen = { activity: "", atMs: 0 };
    await waitFor(() => {
      const now = activity(supervisorOf(second));
      if (now !== seen.activity) seen = { activity: now, atMs: performance.now() };
      return performance.now() - seen.atMs > 1000;
    });
    await world.tasks.send(first, "\n");
    expect((await world.ended(second)).stdout).toBe("second\n");
    expect(fs.existsSync(second.files.started)).toBe(true);
    expect(waitingIn(world)).toEqual([]);
  });

  test("starts in its turn, also if an ender was killed before it woke anyone", async () => {
    await using world = taskWorld();
    const planted = plantAll(world);
    const running = basesOf(planted);
    const first = await world.startUnder(
      shell,
      { command: "echo first", queue: true },
      { running, after: [] },
    );
    const state = { running: [...running, first.files.base], after: [] };
    const second = await world.startUnder(shell, { command: "echo second", queue: true }, state);
    await waitFor(() => isWaiting(world, first) && isWaiting(world, second));
    expect(waitingIn(world).toSorted()[0]).toContain(first.record.id);
    fs.writeFileSync(planted[3]!.ending, "{}");
    // Only the first is looked at: it wakes the second.
    await waitFor(async () => (await world.tasks.refresh(first)).state.status === "completed");
    await waitFor(() => fs.existsSync(second.files.ending));
    expect((await world.ended(second)).stdout).toBe("second\n");
    for (const { record } of planted) fs.rmSync(record);
  });

  test("passes over one in the line that was killed", async () => {
    await using world = taskWorld();
    const planted = plantAll(world);
    const other = await world.startUnder(shell, { command: "read line", stdin: true });
    const running = [...basesOf(planted.slice(1)), other.files.base];
    const killed = await world.startUnder(shell, { command: "echo no", queue: true }, { running, after: [] });
    const task = await world.startUnder(shell, { command: "echo yes", queue: true }, { running, after: [] });
    await waitFor(() => isWaiting(world, killed) && isWaiting(world, task));
    process.kill(supervisorOf(killed), "SIGKILL");
    await waitFor(async () => (await world.tasks.refresh(killed)).state.status === "lost");
    await world.tasks.send(other, "\n");
    await waitFor(() => fs.existsSync(task.files.ending));
    expect((await world.ended(task)).stdout).toBe("yes\n");
    for (const { record } of planted) fs.rmSync(record);
  });

  test("starts when the supervisor ahead is killed while nobody looks", async () => {
    await using world = taskWorld();
    const first = await world.startUnder(shell, { command: "exec sleep 300" });
    await waitFor(() => markedProcesses(first.record.id).length > 0);
    const after = { running: [], after: [first.files.base] };
    const second = await world.startUnder(shell, { command: "echo ran" }, after);
    await waitFor(() => fs.existsSync(second.files.run) && isWaiting(world, second));
    process.kill(-supervisorOf(first), "SIGKILL");
    await waitFor(() => fs.readFileSync(second.files.output, "utf8") === "ran\n");
    expect(fs.existsSync(first.files.ending)).toBe(false);
    await world.ended(second);
  });

  test("is stopped at once", async () => {
    await using world = taskWorld();
    const first = await world.startUnder(shell, { command: "exec sleep 300" });
    const after = { running: [], after: [first.files.base] };
    const second = await world.startUnder(shell, { command: "echo ran" }, after);
    await waitFor(() => fs.existsSync(second.files.run) && isWaiting(world, second));
    expect(await world.tasks.stop(second, { by: "me" })).toMatchObject({ status: "stopped" });
    expect(fs.readFileSync(second.files.output, "utf8")).toBe("");
    await waitFor(() => activity(supervisorOf(second)) === "");
  });

  test("waits in a home whose name holds the end of a line", async () => {
    await using world = taskWorld({ home: path.join(tempDir(), "two\nlines '$(x)' \\ *") });
    const first = await world.startUnder(shell, { command: "read line", stdin: true });
    const after = { running: [], after: [first.files.base] };
    const second = await world.startUnder(shell, { command: "echo second" }, after);
    await waitFor(async () => (await world.tasks.refresh(second)).state.status === "queued");
    await world.tasks.send(first, "\n");
    expect((await world.ended(second)).stdout).toBe("second\n");
    const endedAt = fs.statSync(first.files.ending).mtimeMs;
    expect(fs.statSync(second.files.started).mtimeMs).toBeGreaterThanOrEqual(endedAt);
  });
});
