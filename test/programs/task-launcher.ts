// Starts tasks as it is told, one JSON object a line ({command, …}), and says {id} or {error} of each, in any order.
// Ends at the end of its input.
//   task-launcher.ts HOME CWD [MEGABYTES]
import fs from "node:fs";
import { createInterface } from "node:readline";
import { codeOf } from "../../src/lib/errors.ts";
import type { ShellRequest } from "../../src/tasks/index.ts";
import { openTestTasks } from "../support/open-test-tasks.ts";

const [home, cwd, megabytes = "0"] = process.argv.slice(2) as [string, string, string?];
// A process with much memory starts even its first task through the small launcher.
const ballast = Buffer.alloc(Number(megabytes) * 1024 * 1024, 1);
const env = { PATH: process.env["PATH"] };
const { tasks } = openTestTasks({ home, env });
const say = (value: unknown): void => void fs.writeSync(1, `${JSON.stringify(value)}\n`);
say({ ready: process.pid, ballast: ballast.length });
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Partial<ShellRequest> & { command: string };
  tasks.start({ cwd, ...request }).then(
    ({ record: { id } }) => say({ id, command: request.command }),
    (error: unknown) => say({ error: codeOf(error), message: String(error), command: request.command }),
  );
}
