import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { writeEndedTask } from "../../../test/support/ended-task.ts";
import { taskWorld, type TaskWorld } from "../../../test/support/task-world.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { taskFiles } from "../record/task-files.ts";
import { projectKey } from "../../format/paths.ts";

const LONG = { withinMs: 60_000 };
const HOUR = 3_600_000;

/** Ids of the tasks of which anything is left. */
function left(world: TaskWorld, cwd = "/project"): string[] {
  const { base } = taskFiles(world.home, { projectKey: projectKey(cwd), id: "x" });
  return [...new Set(fs.readdirSync(path.dirname(base)).map((name) => name.split(".")[0]!))].toSorted();
}

describe("pruneDue()", () => {
  test.each([true, false])(
    "removes what is old and was told, with every file (in the index: %s)",
    async (isListed) => {
      const clock = fakeClock(new Date().toISOString());
      await using world = taskWorld({ clock });
      const options = { cwd: world.cwd, muted: true };
      const { tasks } = world;
      const first = await tasks.start({ ...options, command: "cat", stdin: true, tty: true, timeoutMs: 300 });
      const second = await tasks.start({
        ...options,
        command: "head -c 300000 /dev/zero",
        keepTail: true,
        outputBytesMax: 1000,
        after: [first.record.id],
      });
      const third = await tasks.start({ ...options, command: "sleep 300 & :" });
      await waitFor(() => fs.existsSync(third.files.exit));
      await tasks.stop(third, { by: "me", graceMs: 100 });
      for (const task of [first, second]) await tasks.wait(task, { timeoutMs: 30_000 });
      await tasks.newOutput(second, { reader: "r" });
      await tasks.told(second, { by: "me" });
      await tasks.retain(first);
      await tasks.retain(first, { isRetained: false });
      if (isListed) await tasks.list({ all: true });
      expect(await tasks.pruneDue({ ...LONG, olderThanMs: HOUR })).toBe(0);
      clock.advance(2 * HOUR);
      expect(await tasks.pruneDue({ ...LONG, olderThanMs: HOUR })).toBe(3);
      expect(fs.readdirSync(path.dirname(first.files.base))).toEqual([]);
      expect(fs.readdirSync(path.join(world.home, "ended"))).toEqual([]);
      expect(await tasks.list({ all: true })).toEqual([]);
    },
  );

  test.each([true, false])(
    "spares what nobody was told of and what is retained (in the index: %s)",
    async (isListed) => {
      await using world = taskWorld();
      const { home, tasks } = world;
      writeEndedTask(home, { id: "b0000told", second: 1, told: true });
      writeEndedTask(home, { id: "b000muted", second: 2, muted: true });
      writeEndedTask(home, { id: "b00untold", second: 3 });
      writeEndedTask(home, { id: "b0retains", second: 4, told: true });
      if (isListed) await tasks.list({ all: true });
      await tasks.retain("b0retains");
      expect(await tasks.pruneDue(LONG)).toBe(2);
      expect(left(world)).toEqual(["b00untold", "b0retains"]);
      // What was told since the index looked goes, too.
      await tasks.told("b00untold", { by: "me" });
      await tasks.retain("b0retains", { isRetained: false });
      expect(await tasks.pruneDue(LONG)).toBe(2);
      expect(left(world)).toEqual([]);
    },
  );

  test("removes the oldest until the rest fits", async () => {
    await using world = taskWorld();
    const printed = "x".repeat(100_000);
    for (const [at, id] of ["b00000001", "b00000002", "b00000003", "b00000004"].entries())
      writeEndedTask(world.home, { id, second: at, told: id !== "b00000001", printed });
    await world.tasks.list({ all: true });
    const limits = { olderThanMs: 10 ** 12, totalBytesMax: 250_000 };
    expect(await world.tasks.pruneDue({ ...LONG, ...limits })).toBe(2);
    expect(left(world)).toEqual(["b00000001", "b00000004"]);
  });

  test("stops when its time is over, and goes on the next time", async () => {
    await using world = taskWorld();
    for (let n = 0; n < 20; n++)
      writeEndedTask(world.home, { id: `b${String(n).padStart(8, "0")}`, second: n, told: true });
    await world.tasks.list({ all: true });
    expect(await world.tasks.pruneDue({ withinMs: 0 })).toBe(0);
    expect(left(world)).toHaveLength(20);
    expect(await world.tasks.pruneDue(LONG)).toBe(20);
  });

  test("removes an agent with what is named after its questions", async () => {
    await using world = taskWorld();
    const files = writeEndedTask(world.home, { id: "a00000001", second: 1, told: true });
    fs.rmSync(files.output);
    fs.symlinkSync("/nowhere.jsonl", files.output);
    fs.writeFileSync(`${files.base}.answer.4711`, "{}");
    expect(await world.tasks.pruneDue(LONG)).toBe(1);
    expect(left(world)).toEqual([]);
  });

  test("has nothing to do in an empty home", async () => {
    await using world = taskWorld();
    expect(await world.tasks.pruneDue(LONG)).toBe(0);
  });
});
