import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { basicEnv, taskWorld, type TaskWorld } from "../../../test/support/task-world.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { systemClock } from "../../lib/clock.ts";
import { launchShell } from "../kinds/shell/launch-shell.ts";
import { removeEmptyFolders } from "../prune/remove-task.ts";
import { startHere, type StartRequest, type TaskStarter } from "./start-process.ts";

/** Launches with a starter that dies after it has done `then`. */
function launchThrough(world: TaskWorld, command: string, start: TaskStarter): Promise<unknown> {
  const context = { home: world.home, env: basicEnv, clock: systemClock, start };
  return launchShell(context, { command, cwd: world.cwd }, { running: 0, after: [] });
}

const runFile = ({ files }: StartRequest): string => files.record.replace(/json$/, "run");

async function startAndDie(request: StartRequest): Promise<never> {
  await startHere(request);
  await waitFor(() => fs.existsSync(runFile(request)));
  throw new Error("died");
}

describe("launchTask(), when whoever starts the task dies,", () => {
  test("returns if the task runs and has a record", async () => {
    await using world = taskWorld();
    await launchThrough(world, "echo on", startAndDie);
    const [task] = await world.tasks.list({ all: true });
    expect((await world.ended(task!)).stdout).toBe("on\n");
  });

  test("stops the task if it runs without a record that is on the disk, and leaves nothing", async () => {
    await using world = taskWorld();
    const launching = launchThrough(world, "exec sleep 300", async (request) => {
      await startAndDie(request).catch(() => {});
      fs.rmSync(request.files.record);
      throw new Error("died");
    });
    await expect(launching).rejects.toMatchObject({
      code: "launch_failed",
      message: expect.stringContaining("died"),
    });
    // The supervisor tidies up behind the ending.
    await waitFor(() => filesBelow(world.home).length === 0);
  });

  test("throws if the task does not run, and leaves nothing", async () => {
    await using world = taskWorld();
    const launching = launchThrough(world, "true", async ({ files, record }) => {
      fs.writeFileSync(files.record, record.slice(0, 10));
      throw new Error("died");
    });
    await expect(launching).rejects.toMatchObject({ code: "launch_failed" });
    expect(filesBelow(world.home)).toEqual([]);
  });
});

test("launchTask() succeeds although a prune removes the folder that it has just made", async () => {
  await using world = taskWorld();
  let starts = 0;
  await launchThrough(world, "echo on", async (request) => {
    if (starts++ === 0) removeEmptyFolders(world.home);
    await startHere(request);
  });
  expect(starts).toBe(2);
  const [task] = await world.tasks.list({ all: true });
  expect((await world.ended(task!)).stdout).toBe("on\n");
});

function filesBelow(dir: string): string[] {
  const found = fs.readdirSync(dir, { recursive: true, withFileTypes: true });
  return found.filter((each) => !each.isDirectory()).map(({ name }) => name);
}
