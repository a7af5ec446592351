// Runs an agent in this process and says its id.
//   agent-embedder.ts HOME CONFIG_DIR CWD SCRIPT
import { systemClock } from "../../src/lib/clock.ts";
import { scriptedRunner } from "../../src/agents/runners/scripted/index.ts";
import { openTasks } from "../../src/tasks/index.ts";

const [home = "", configDir = "", cwd = "", script = ""] = process.argv.slice(2);
const tasks = openTasks({ home, configDir, env: {}, clock: systemClock, isSessionAlive: () => false });
const { task, result } = await tasks.runAgentInProcess({
  prompt: "Play",
  cwd,
  runner: scriptedRunner({ script }),
  spec: { name: "scripted", script },
});
process.stdout.write(`${task.record.id}\n`);
await result;
tasks.close();
