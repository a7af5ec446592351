// Reads homes, one a line, takes the notices of each and prints {home, taken: [id…]}.
//   task-consumer.ts NAME
import fs from "node:fs";
import { createInterface } from "node:readline";
import { systemClock } from "../../src/lib/clock.ts";
import { openTasks } from "../../src/tasks/index.ts";
// Loaded before it is needed, so that the race is about the notices.
import "../../src/tasks/notices/notices.ts";

const [by] = process.argv.slice(2) as [string];
fs.writeSync(1, "ready\n");
for await (const home of createInterface({ input: process.stdin })) {
  const tasks = openTasks({
    home,
    configDir: home,
    env: {},
    clock: systemClock,
    isSessionAlive: () => false,
  });
  const taken = (await tasks.consumeNotices({ by })).map(({ taskId }) => taskId);
  fs.writeSync(1, `${JSON.stringify({ home, taken })}\n`);
}
