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
import { plantRunning } from "../../../test/support/plant-running.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { concurrentTasksMax } from "../kinds/shell/limits.ts";
import type { Task } from "../record/task.ts";
import { declareLost } from "../record/read-state.ts";
import { wakeWaiting } from "../record/waiting-tasks.ts";
import { writeEnding } from "../record/write-ending.ts";

const full = { running: concurrentTasksMax, after: [] };
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

/** Waits until the supervisors of these tasks have done nothing for so long. */
async function untilIdle(tasks: Task[], idleMs: number): Promise<void> {
  let seen = { activity: "", atMs: 0 };
  await waitFor(() => {
    const now = tasks.map((task) => activity(supervisorOf(task))).join();
    if (now !== seen.activity) seen = { activity: now, atMs: performance.now() };
    return performance.now() - seen.atMs > idleMs;
  });
}

describe.each(supervisorShells)("a task that waits, under %s,", (shell) => {
  test("blocks while it waits, and starts when the one ahead ends", async () => {
    await using world = taskWorld();
    const first = await world.startUnder(shell, { command: "read line", stdin: true });
    const after = { running: 0, after: [first.files.base] };
    const second = await world.startUnder(shell, { command: "echo second" }, after);
    await waitFor(() => fs.existsSync(second.files.run) && isWaiting(world, second));
    await untilIdle([second], 1000);
    await world.tasks.send(first, "\n");
    expect((await world.ended(second)).stdout).toBe("second\n");
    expect(fs.existsSync(second.files.started)).toBe(true);
    expect(waitingIn(world)).toEqual([]);
  });

  test("starts in its turn, also if an ender was killed before it woke anyone", async () => {
    await using world = taskWorld();
    const planted = plantRunning(world, concurrentTasksMax);
    const first = await world.startUnder(shell, { command: "echo first", queue: true }, full);
    const second = await world.startUnder(shell, { command: "echo second", queue: true }, full);
    await waitFor(() => isWaiting(world, first) && isWaiting(world, second));
    expect(fs.statSync(second.files.record).size).toBeLessThan(1000);
    expect(waitingIn(world).toSorted()[0]).toContain(first.record.id);
    fs.writeFileSync(planted[3]!.ending, "{}");
    // Only the first is looked at: it wakes the second.
    await waitFor(async () => (await world.tasks.refresh(first)).state.status === "completed");
    await waitFor(() => fs.existsSync(second.files.ending));
    expect((await world.ended(second)).stdout).toBe("second\n");
  });

  test("starts at once when a process of ours writes the ending of one ahead, or finds it lost", async () => {
    await using world = taskWorld();
    const [first, second] = plantRunning(world, concurrentTasksMax);
    const task = await world.startUnder(shell, { command: "echo ran", queue: true }, full);
    await waitFor(() => isWaiting(world, task));
    writeEnding(first!, { exitCode: 0, reason: "exit" });
    await waitFor(() => fs.readFileSync(task.files.output, "utf8") === "ran\n");
    await world.ended(task);
    await waitFor(() => !fs.existsSync(task.files.endingDraft));
    fs.writeFileSync(first!.endingDraft, " ");
    fs.rmSync(first!.ending);
    const next = await world.startUnder(shell, { command: "echo ran", queue: true }, full);
    await waitFor(() => isWaiting(world, next));
    declareLost(second!, next.record, "the test says so");
    await waitFor(() => fs.readFileSync(next.files.output, "utf8") === "ran\n");
    expect((await world.ended(next)).state.status).toBe("completed");
  });

  test("takes one place, however many wake at once", async () => {
    await using world = taskWorld();
    const planted = plantRunning(world, concurrentTasksMax);
    const command = "echo started >> started; read line";
    const tasks: Task[] = [];
    for (let n = 0; n < 5; n++)
      tasks.push(await world.startUnder(shell, { command, stdin: true, queue: true }, full));
    await waitFor(() => tasks.every((task) => isWaiting(world, task)));
    const started = path.join(world.cwd, "started");
    const count = (): number =>
      fs.existsSync(started) ? fs.readFileSync(started, "utf8").split("\n").length - 1 : 0;
    for (const [n, { record, endingDraft }] of planted.slice(0, 3).entries()) {
      fs.rmSync(endingDraft);
      fs.rmSync(record);
      for (let wakes = 0; wakes < 5; wakes++) for (const { files } of tasks) wakeWaiting(files);
      await waitFor(() => count() === n + 1);
      await untilIdle(tasks, 300);
      expect(count()).toBe(n + 1);
    }
    expect(tasks.filter((task) => isWaiting(world, task))).toEqual(tasks.slice(3));
  });

  test("passes over one in the line that was killed", async () => {
    await using world = taskWorld();
    plantRunning(world, concurrentTasksMax - 1);
    const other = await world.startUnder(shell, { command: "read line", stdin: true });
    const killed = await world.startUnder(shell, { command: "echo no", queue: true }, full);
    const task = await world.startUnder(shell, { command: "echo yes", queue: true }, full);
    await waitFor(() => isWaiting(world, killed) && isWaiting(world, task));
    process.kill(supervisorOf(killed), "SIGKILL");
    await waitFor(async () => (await world.tasks.refresh(killed)).state.status === "lost");
    await world.tasks.send(other, "\n");
    await waitFor(() => fs.existsSync(task.files.ending));
    expect((await world.ended(task)).stdout).toBe("yes\n");
  });

  test("waits for what still runs of a task ahead whose supervisor was killed", async () => {
    await using world = taskWorld();
    const first = await world.startUnder(shell, { command: "exec sleep 300" });
    await waitFor(() => markedProcesses(first.record.id).length > 0);
    const [command] = markedProcesses(first.record.id);
    process.kill(supervisorOf(first), "SIGKILL");
    const after = { running: 0, after: [first.files.base] };
    const second = await world.startUnder(shell, { command: "echo ran" }, after);
    await waitFor(() => fs.existsSync(second.files.run) && isWaiting(world, second));
    await untilIdle([second], 500);
    expect(fs.existsSync(second.files.started)).toBe(false);
    process.kill(command!, "SIGKILL");
    expect((await world.ended(second)).stdout).toBe("ran\n");
  });

  test("starts when the supervisor ahead is killed while nobody looks", async () => {
    await using world = taskWorld();
    const first = await world.startUnder(shell, { command: "exec sleep 300" });
    await waitFor(() => markedProcesses(first.record.id).length > 0);
    const after = { running: 0, after: [first.files.base] };
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
    const after = { running: 0, after: [first.files.base] };
    const second = await world.startUnder(shell, { command: "echo ran" }, after);
    await waitFor(() => fs.existsSync(second.files.run) && isWaiting(world, second));
    expect(await world.tasks.stop(second, { by: "me" })).toMatchObject({ status: "stopped" });
    expect(fs.readFileSync(second.files.output, "utf8")).toBe("");
    await waitFor(() => activity(supervisorOf(second)) === "");
  });

  test("waits in a home whose name holds the end of a line", async () => {
    await using world = taskWorld({ home: path.join(tempDir(), "two\nlines '$(x)' \\ *") });
    const first = await world.startUnder(shell, { command: "read line", stdin: true });
    const after = { running: 0, after: [first.files.base] };
    const second = await world.startUnder(shell, { command: "echo second" }, after);
    await waitFor(async () => (await world.tasks.refresh(second)).state.status === "queued");
    await world.tasks.send(first, "\n");
    expect((await world.ended(second)).stdout).toBe("second\n");
    const endedAt = fs.statSync(first.files.ending).mtimeMs;
    expect(fs.statSync(second.files.started).mtimeMs).toBeGreaterThanOrEqual(endedAt);
  });
});
