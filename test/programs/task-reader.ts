// Reads ids of tasks, one a line, and says the state of each: one of several processes that look at the same time.
//   task-reader.ts HOME
import fs from "node:fs";
import { createInterface } from "node:readline";
import { systemClock } from "../../src/lib/clock.ts";
import { openTasks } from "../../src/tasks/index.ts";

const [home] = process.argv.slice(2) as [string];
const tasks = openTasks({ home, configDir: home, env: {}, clock: systemClock, isSessionAlive: () => false });
fs.writeSync(1, "ready\n");
for await (const id of createInterface({ input: process.stdin }))
  fs.writeSync(1, `${JSON.stringify(tasks.find(id).state)}\n`);
