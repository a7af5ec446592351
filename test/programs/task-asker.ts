// Reads homes, one a line, and prints the ids of the newest tasks of each as a JSON array.
import fs from "node:fs";
import { createInterface } from "node:readline";
import { listTasks } from "../../src/tasks/list/list-tasks.ts";

fs.writeSync(1, "ready\n");
for await (const home of createInterface({ input: process.stdin })) {
  const newest = listTasks(home, { all: true, limit: 100_000 });
  fs.writeSync(1, `${JSON.stringify(newest.map(({ record }) => record.id))}\n`);
}
