// Runs an agent in this process and says its id.
//   agent-embedder.ts HOME CONFIG_DIR CWD SCRIPT
import { scriptedRunner } from "../../src/agents/runners/scripted/index.ts";
import { openTestTasks } from "../support/open-test-tasks.ts";

const [home = "", configDir = "", cwd = "", script = ""] = process.argv.slice(2);
const { tasks, agents } = openTestTasks({ home, configDir });
const { task, result } = await agents.run({
  prompt: "Play",
  cwd,
  runner: scriptedRunner({ script }),
  spec: { name: "scripted", script },
});
process.stdout.write(`${task.record.id}\n`);
await result;
await tasks.close();
