// Prints the output of a task as it comes, and ends with it.
//   task-follower.ts HOME ID
import { systemClock } from "../../src/lib/clock.ts";
import { openTasks } from "../../src/tasks/index.ts";

const [home, id] = process.argv.slice(2) as [string, string];
const tasks = openTasks({ home, configDir: home, env: {}, clock: systemClock, isSessionAlive: () => false });
for await (const text of tasks.followOutput(tasks.find(id))) process.stdout.write(text);
