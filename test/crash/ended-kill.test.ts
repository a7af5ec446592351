import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { holdfastPaths } from "../../src/format/paths.ts";
import { listTasks } from "../../src/tasks/list/list-tasks.ts";
import { seededRandom, startProgram, tempDir, waitFor } from "../support/index.ts";
import { writeEndedTask } from "../support/ended-task.ts";

// More by TASK_INDEX_KILLS=100.
const KILLS = Number(process.env["TASK_INDEX_KILLS"] ?? 6);
const TASKS = 700;

test(
  `the index of ended tasks loses and doubles nothing when who updates it is killed ${KILLS} times`,
  { timeout: 60_000 + KILLS * 20_000 },
  async () => {
    const seed = Date.now() % 1_000_000_000;
    const random = seededRandom(seed);
    const home = path.join(tempDir(), "home");
    const ids: string[] = [];
    const newest = (): string[] =>
      listTasks(home, { all: true, limit: 100_000 }).map(({ record }) => record.id);
    let kills = 0;
    // Only what cuts an update short counts. The first one is let be: it tells how long one takes.
    for (let updateMs = Infinity; kills < KILLS;) {
      // Every round has something to take in, so that every kill can hit a transaction, or what follows it.
      for (let n = 0; n < TASKS; n++) {
        const id = `b${String(ids.length).padStart(8, "0")}`;
        writeEndedTask(home, { id, second: ids.length });
        ids.unshift(id);
      }
      const program = startProgram("task-asker", []);
      await waitFor(() => program.lines.includes("ready") || program.errors.length > 0, {
        timeoutMs: 30_000,
      });
      program.say(home);
      const startedAt = performance.now();
      const killAt = startedAt + (updateMs < Infinity ? random.between(1, Math.ceil(updateMs)) : Infinity);
      await waitFor(() => performance.now() > killAt || program.lines.length > 1, { timeoutMs: 60_000 });
      program.kill();
      await program.ended();
      expect({ seed, errors: program.errors }).toEqual({ seed, errors: [] });
      if (program.lines.length === 1) kills++;
      else updateMs = 1.2 * (performance.now() - startedAt);
      // What the killed one left undone is still in ended/; no folder of tasks is read for this.
      expect({ seed, newest: newest() }).toEqual({ seed, newest: ids });
    }
    expect(fs.readdirSync(holdfastPaths(home).endedDir)).toEqual([]);
    expect(newest()).toEqual(ids);
  },
);
