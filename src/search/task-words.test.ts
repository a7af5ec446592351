import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { writeEndedTask } from "../../test/support/ended-task.ts";
import { tempDir } from "../../test/support/index.ts";
import { taskWorld } from "../../test/support/task-world.ts";
import { searchedTasks } from "../runtime/searched-tasks.ts";
import { removeTask } from "../tasks/prune/remove-task.ts";
import { searchSessions, type SearchOptions } from "./index.ts";
import type { SearchedTasks } from "./searched-task.ts";

interface Counting {
  tasks: SearchedTasks;
  /** How many tasks were read from files, but for those that run. */
  read: () => number;
}

function counting(home: string): Counting {
  const tasks = searchedTasks(home);
  let count = 0;
  const count_ = <Found extends readonly unknown[]>(found: Found): Found => {
    count += found.length;
    return found;
  };
  return {
    tasks: {
      all: () => count_(tasks.all()),
      unworded: () => count_(tasks.unworded()),
      read: (rows) => count_(tasks.read(rows)),
    },
    read: () => count,
  };
}

async function search(
  home: string,
  query: string,
  { tasks = searchedTasks(home), ...options }: SearchOptions & { tasks?: SearchedTasks } = {},
): Promise<{ ids: (string | null)[]; total: number }> {
  const context = { configDir: path.join(home, "none"), home, tasks };
  const { hits, total } = await searchSessions(context, query, options);
  return { ids: hits.map(({ taskId }) => taskId).toSorted((a, b) => (a! < b! ? -1 : 1)), total };
}

describe("a search for tasks", () => {
  test("finds them by name, command and output, running and ended, and no longer when they are gone", async () => {
    await using world = taskWorld();
    const { home, cwd } = world;
    const running = await world.tasks.start({ command: "echo needle; sleep 100", cwd });
    const { task: ended } = await world.run("echo the needle failed", { name: "pin" });
    const both = [running.record.id, ended.record.id].toSorted();
    for (let round = 0; round < 2; round++) {
      expect((await search(home, "needle")).ids).toEqual(both);
      expect((await search(home, "needle", { type: "task", role: "tool", project: cwd })).ids).toEqual(both);
      expect((await search(home, "needle", { project: "/elsewhere" })).ids).toEqual([]);
      expect((await search(home, "needle", { tool: "Bash" })).ids).toEqual([]);
      expect((await search(home, "pin failed")).ids).toEqual([ended.record.id]);
      expect((await search(home, "needl.", { isRegex: true })).ids).toEqual(both);
    }
    removeTask(home, ended);
    expect((await search(home, "needle")).ids).toEqual([running.record.id]);
    await world.tasks.stop(running, { by: "test" });
  });

  test("reads ended ones once, and later only those that hold the words", async () => {
    const home = tempDir();
    for (let second = 0; second < 30; second++)
      writeEndedTask(home, {
        id: `b0000${second}`.slice(0, 9),
        second,
        printed: second === 7 ? "needle" : "hay",
      });
    const first = counting(home);
    expect((await search(home, "needle", { tasks: first.tasks })).ids).toEqual(["b00007"]);
    expect(first.read()).toBeGreaterThanOrEqual(30);
    const second = counting(home);
    expect((await search(home, "needle", { tasks: second.tasks })).ids).toEqual(["b00007"]);
    expect(second.read()).toBe(1);
    expect(await search(home, "hay", { limit: 5 })).toMatchObject({ total: 29 });
  });

  test("reads all of them where the index cannot be used, or has lost their words", async () => {
    const home = tempDir();
    for (const [second, id] of ["baaaa0001", "baaaa0002"].entries())
      writeEndedTask(home, { id, second, printed: `needle ${id}` });
    expect((await search(home, "needle")).ids).toEqual(["baaaa0001", "baaaa0002"]);
    const file = path.join(home, "index", "index.db");
    for (const lie of ["DROP TABLE task_words", "DELETE FROM task_words", "DELETE FROM tasks"]) {
      const database = new DatabaseSync(file);
      database.exec(lie);
      database.close();
      expect((await search(home, "needle")).ids).toEqual(["baaaa0001", "baaaa0002"]);
      expect((await search(home, "needle")).ids).toEqual(["baaaa0001", "baaaa0002"]);
    }
    fs.writeFileSync(file, "no database");
    expect((await search(home, "needle")).ids).toEqual(["baaaa0001", "baaaa0002"]);
  });
});
