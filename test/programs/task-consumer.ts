// Takes the notices of a home whenever it reads a line; prints the id of each one it got, then "taken".
//   task-consumer.ts HOME NAME
import fs from "node:fs";
import { createInterface } from "node:readline";
import { systemClock } from "../../src/lib/clock.ts";
import { openTasks } from "../../src/tasks/index.ts";

const [home, by] = process.argv.slice(2) as [string, string];
const tasks = openTasks({ home, env: {}, clock: systemClock, isSessionAlive: () => false });
// Loads what the first call needs, so that the race is about the notices.
await tasks.notices();
fs.writeSync(1, "ready\n");
for await (const _ of createInterface({ input: process.stdin })) {
  for (const { taskId } of await tasks.consumeNotices({ by })) fs.writeSync(1, `${taskId}\n`);
  fs.writeSync(1, "taken\n");
}
