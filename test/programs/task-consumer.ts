// Reads homes, one a line, takes the notices of each and prints {home, taken: [id…]}.
//   task-consumer.ts NAME
import fs from "node:fs";
import { createInterface } from "node:readline";
import { openTestTasks } from "../support/open-test-tasks.ts";
// Loaded before it is needed, so that the race is about the notices.
import "../../src/tasks/notices/notices.ts";

const [by] = process.argv.slice(2) as [string];
fs.writeSync(1, "ready\n");
for await (const home of createInterface({ input: process.stdin })) {
  const { tasks } = openTestTasks({ home });
  const taken = (await tasks.consumeNotices({ by })).map(({ taskId }) => taskId);
  fs.writeSync(1, `${JSON.stringify({ home, taken })}\n`);
}
