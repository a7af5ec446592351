// Reads ids of tasks, one a line, and says the state of each: one of several processes that look at the same time.
//   task-reader.ts HOME
import fs from "node:fs";
import { createInterface } from "node:readline";
import { openTestTasks } from "../support/open-test-tasks.ts";

const [home] = process.argv.slice(2) as [string];
const { tasks } = openTestTasks({ home });
fs.writeSync(1, "ready\n");
for await (const id of createInterface({ input: process.stdin }))
  fs.writeSync(1, `${JSON.stringify((await tasks.find(id)).state)}\n`);
