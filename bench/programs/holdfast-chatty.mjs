// A task that prints a lot: holdfast-chatty.mjs HOME COMMAND
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { openRuntime } from "holdfast";
import { peakResidentBytes, report } from "./report.mjs";

const [home, command] = process.argv.slice(2);
fs.mkdirSync(home, { recursive: true, mode: 0o700 });
const runtime = openRuntime({ home, configDir: path.join(home, "config"), env: process.env });

// Whatever is loaded or started once is there before the clock runs, as in a harness.
const run = async (request) => {
  const task = await runtime.tasks.start({ ...request, cwd: home });
  return { task, ending: await runtime.tasks.wait(task) };
};
for (let warmUp = 0; warmUp < 20; warmUp++) await run({ command: "true" });

// A virtual machine gives memory back that was free for a second. The shell's side writes into what the run before it has just
// left; so does ours.
const scratch = path.join(home, "scratch");
spawnSync("sh", ["-c", `${command} > "$1"`, "sh", scratch]);
fs.rmSync(scratch);

const peakBefore = peakResidentBytes();
await report({
  work: () => run({ command }),
  figuresOf: ({ task }) => ({
    launcherGrowthBytes: peakResidentBytes() - peakBefore,
    supervisorPid: JSON.parse(fs.readFileSync(task.files.run, "utf8")).pid,
  }),
  resultOf: ({ task, ending }) => ({ status: ending.status, output: task.files.output }),
});
await runtime.close();
