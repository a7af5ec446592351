import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { isWithoutProc } from "../../../../test/support/other-machine.ts";
import { plantRunning } from "../../../../test/support/plant-running.ts";
import { startProgram } from "../../../../test/support/start-program.ts";
import { markedProcesses, taskWorld, type TaskWorld } from "../../../../test/support/task-world.ts";
import { waitFor } from "../../../../test/support/wait-for.ts";
import { concurrentTasksMax, taskNameLengthMax } from "./limits.ts";
import { projectKey } from "../../../format/paths.ts";
import { codeOf } from "../../../lib/errors.ts";
import { taskPlaces, type ShellRequest } from "./shell-request.ts";
import { listRunning } from "../../record/running-tasks.ts";
import { takePlace } from "../../record/take-place.ts";
import { taskFiles } from "../../record/task-files.ts";

interface Said {
  id?: string;
  error?: string;
}

/** What so many processes say that start so many tasks each, all in the same moment. */
async function launchAtOnce(
  world: TaskWorld,
  { launchers, each, request }: { launchers: number; each: number; request?: Partial<ShellRequest> },
): Promise<Said[]> {
  const line = JSON.stringify({ command: "exec sleep 300", ...request });
  const programs = Array.from({ length: launchers }, () =>
    startProgram("task-launcher", [world.home, world.cwd]),
  );
  await waitFor(() => programs.every(({ lines }) => lines.length === 1));
  for (let n = 0; n < each; n++) for (const program of programs) program.say(line);
  for (const program of programs) program.hangUp();
  await Promise.all(programs.map((program) => program.ended()));
  return programs.flatMap(({ lines }) => lines.slice(1).map((said) => JSON.parse(said) as Said));
}

describe("start()", () => {
  test("gives a program its arguments as they are, whatever a shell would make of them", async () => {
    await using world = taskWorld();
    const argv = ["printf", "%s|", "two words", "$HOME", "it's", "a=b", ""];
    const { stdout } = await world.ended(await world.tasks.start({ argv, cwd: world.cwd }));
    expect(stdout).toBe("two words|$HOME|it's|a=b||");
    const odd = await world.ended(await world.tasks.start({ argv: ["A=b", "x"], cwd: world.cwd }));
    expect(odd.state).toMatchObject({ status: "failed", exitCode: 127 });
  });

  test.each([
    [{}, "neither"],
    [{ command: "true", argv: ["true"] }, "both"],
    [{ argv: [] }, "empty"],
    [{ argv: [""] }, "empty"],
    [{ argv: ["echo", "\0"] }, "NUL"],
  ])("refuses %j", async (request, why) => {
    await using world = taskWorld();
    await expect(world.tasks.start({ ...request, cwd: world.cwd } as ShellRequest)).rejects.toMatchObject({
      code: "task_refused",
      message: expect.stringContaining(why),
    });
  });
});

describe("the limit of tasks that run at once", () => {
  test("refuses one more, in words that say what to do", async () => {
    await using world = taskWorld();
    await world.run("true");
    const planted = plantRunning(world, concurrentTasksMax);
    await expect(world.tasks.start({ command: "true", cwd: world.cwd })).rejects.toMatchObject({
      code: "task_limit",
      retryable: true,
      message: expect.stringContaining("stop some or queue it"),
      fields: { running: concurrentTasksMax, limit: concurrentTasksMax },
    });
    // One that has ended does not count, although nobody has tidied up.
    fs.writeFileSync(planted[7]!.ending, "{}");
    expect((await world.run("true")).state.status).toBe("completed");
  });

  test("holds for launches at once", async () => {
    await using world = taskWorld();
    await world.run("true");
    plantRunning(world, concurrentTasksMax - 5);
    const start = (): Promise<unknown> => world.tasks.start({ command: "exec sleep 300", cwd: world.cwd });
    const done = await Promise.allSettled(Array.from({ length: 12 }, start));
    const refused = done.flatMap((each) => (each.status === "rejected" ? [codeOf(each.reason)] : []));
    expect(refused).toEqual(Array.from({ length: 7 }, () => "task_limit"));
  });

  test("holds for launches of many processes at once", async () => {
    await using world = taskWorld();
    await world.run("true");
    plantRunning(world, concurrentTasksMax - 10);
    const said = await launchAtOnce(world, { launchers: 5, each: 6 });
    const refused = said.flatMap(({ error }) => (error === undefined ? [] : [error]));
    expect(refused).toEqual(Array.from({ length: 20 }, () => "task_limit"));
    expect(said.filter(({ id }) => id !== undefined)).toHaveLength(10);
    // Of those that were refused nothing is left.
    expect(listRunning(world.home)).toHaveLength(concurrentTasksMax);
  });

  test("queues what is too much of many processes at once, and no more", async () => {
    await using world = taskWorld();
    await world.run("true");
    const planted = plantRunning(world, concurrentTasksMax - 5);
    // Each look at a process takes a process there.
    const each = isWithoutProc ? 3 : 4;
    const said = await launchAtOnce(world, { launchers: 4, each, request: { queue: true } });
    expect(said.filter(({ id }) => id === undefined)).toEqual([]);
    const begun = (): number => said.filter(({ id = "" }) => markedProcesses(id).length > 0).length;
    await waitFor(() => begun() === 5);
    fs.writeFileSync(planted[7]!.ending, "{}");
    await waitFor(async () => {
      await world.tasks.list();
      return begun() === 6;
    });
  });

  test("does not count one that was killed before it had decided to start", async () => {
    await using world = taskWorld();
    const { task } = await world.run("true");
    plantRunning(world, concurrentTasksMax - 1);
    const files = taskFiles(world.home, { projectKey: projectKey(world.cwd), id: "bkilled00" });
    const launcher = { ...task.record.launcher, pid: 2 ** 22 + 1 };
    fs.writeFileSync(files.record, JSON.stringify({ ...task.record, id: files.id, launcher }));
    fs.writeFileSync(files.endingDraft, "");
    expect(await takePlace({ ...files, id: "bnew", endingDraft: `${files.endingDraft}x` }, taskPlaces)).toBe(
      true,
    );
  });

  test("queues one more when asked, shows its place and starts it in its turn", async () => {
    await using world = taskWorld();
    await world.run("true");
    const planted = plantRunning(world, concurrentTasksMax);
    const queue = true;
    const first = await world.tasks.start({ command: "echo first", cwd: world.cwd, queue });
    const second = await world.tasks.start({ command: "echo second", cwd: world.cwd, queue });
    const placeOf = async (task: typeof first): Promise<number | undefined> => {
      const { state } = await world.tasks.refresh(task);
      return state.status === "queued" ? state.place : undefined;
    };
    await waitFor(async () => (await placeOf(first)) === 1 && (await placeOf(second)) === 2);
    fs.writeFileSync(planted[3]!.ending, "{}");
    expect((await world.ended(first)).stdout).toBe("first\n");
    expect((await world.ended(second)).stdout).toBe("second\n");
  });
});

test.each(["", "  ", "@last"])(
  "the name %j, by which nobody would find the task, is refused",
  async (name) => {
    await using world = taskWorld();
    await expect(world.tasks.start({ command: "true", cwd: world.cwd, name })).rejects.toMatchObject({
      code: "task_refused",
    });
  },
);

test("a name that is longer than a table can show is refused", async () => {
  await using world = taskWorld();
  const start = (name: string): Promise<unknown> =>
    world.tasks.start({ command: "true", cwd: world.cwd, name });
  await start("n".repeat(taskNameLengthMax));
  await expect(start("n".repeat(taskNameLengthMax + 1))).rejects.toMatchObject({
    code: "task_refused",
    message: "Cannot run task: the name has 65 characters, more than 64",
  });
});
