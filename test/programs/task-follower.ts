// Prints the output of a task as it comes, and ends with it.
//   task-follower.ts HOME ID
import { openTestTasks } from "../support/open-test-tasks.ts";

const [home, id] = process.argv.slice(2) as [string, string];
const { tasks } = openTestTasks({ home });
for await (const { text } of tasks.follow(id)) process.stdout.write(text);
