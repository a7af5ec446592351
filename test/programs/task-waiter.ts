// Waits for a task and prints its ending.
//   task-waiter.ts HOME ID
import fs from "node:fs";
import { openTestTasks } from "../support/open-test-tasks.ts";

const [home, id] = process.argv.slice(2) as [string, string];
const { tasks } = openTestTasks({ home });
const waiting = tasks.wait(await tasks.find(id), { timeoutMs: 30_000 });
fs.writeSync(1, "waiting\n");
fs.writeSync(1, `${JSON.stringify(await waiting)}\n`);
