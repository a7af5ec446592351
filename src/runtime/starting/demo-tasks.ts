import fs from "node:fs";
import path from "node:path";
import { holdfastPaths } from "../../format/paths.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import type { Script } from "../../agents/runners/scripted/index.ts";
import type { Task } from "../../tasks/record/task.ts";
import type { StartingPlace } from "./starting-place.ts";

/** Prints for a minute and a half, in colours, with a line of progress that is drawn again and again. */
const BUILD = `for n in $(seq 1 30); do
  printf '\\033[32m✓\\033[0m compiled module %s of 30\\n' "$n"
  [ $((n % 7)) -eq 0 ] && printf '\\033[33mwarning\\033[0m: module %s is larger than 500 kB\\n' "$n" >&2
  for p in 25 50 75 100; do printf '\\r  bundling… %s %%' "$p"; sleep 0.7; done; printf '\\n'
done; echo done`;

const TESTS = `echo "running 4 tests"; sleep 2; printf '\\033[32m✓\\033[0m adds\\n\\033[32m✓\\033[0m subtracts\\n'
sleep 2; printf '\\033[31m✗\\033[0m divides: expected 2, got Infinity\\n' >&2; exit 1`;

const ASKED = "printf 'Hello from the demo.\\n' > hello.txt && cat hello.txt";

/** An agent without a model: it plays this, asks before it writes, and answers. */
const SCRIPT: Script = {
  model: "demo",
  usage: { input_tokens: 1200, output_tokens: 180 },
  steps: [
    { text: "I will look at the folder first, then write a small file." },
    {
      todos: [
        { content: "Look at the folder", status: "in_progress" },
        { content: "Write hello.txt", status: "pending" },
      ],
    },
    { tool: "Read", input: { file_path: "README.md" }, result: "# Demo\n\nA folder of the demo." },
    { delayMs: 1500 },
    {
      todos: [
        { content: "Look at the folder", status: "completed" },
        { content: "Write hello.txt", status: "in_progress" },
      ],
    },
    { run: ASKED },
    { text: "Done: **hello.txt** is written.\n\n```sh\ncat hello.txt\n```" },
  ],
};

/** Starts what shows the dashboard live: a build, tests that fail, an agent that asks. In a folder of the home. */
export async function startDemoTasks(place: StartingPlace): Promise<Task[]> {
  const { tasks, agents, home } = place;
  const cwd = ensurePrivateDir(path.join(holdfastPaths(home).dashboardDir, "demo"), undefined, 2);
  fs.writeFileSync(path.join(cwd, "README.md"), "# Demo\n\nA folder of the demo.\n", { mode: 0o600 });
  const script = path.join(cwd, "script.json");
  fs.writeFileSync(script, JSON.stringify(SCRIPT), { mode: 0o600 });
  return [
    await tasks.start({ command: BUILD, cwd, description: "Demo: a build" }),
    await tasks.start({ command: TESTS, cwd, description: "Demo: tests, one of which fails" }),
    await agents.start({
      prompt: "Write a file that says hello.",
      cwd,
      runner: { name: "scripted", script },
      description: "Demo: an agent that asks before it writes",
      permission: "ask",
    }),
  ];
}
