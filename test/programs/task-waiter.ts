// Waits for a task and prints its ending.
//   task-waiter.ts HOME ID
import fs from "node:fs";
import { systemClock } from "../../src/lib/clock.ts";
import { openTasks } from "../../src/tasks/index.ts";

const [home, id] = process.argv.slice(2) as [string, string];
const tasks = openTasks({ home, configDir: home, env: {}, clock: systemClock, isSessionAlive: () => false });
const waiting = tasks.wait(tasks.find(id), { timeoutMs: 30_000 });
fs.writeSync(1, "waiting\n");
fs.writeSync(1, `${JSON.stringify(await waiting)}\n`);
