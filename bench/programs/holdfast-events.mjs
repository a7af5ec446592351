// What it costs to watch tasks of others start and end: holdfast-events.mjs HOME COUNT
// The figure is the time for which this process was busy, not waiting, divided by the updates it told of.
import fs from "node:fs";
import path from "node:path";
import { openRuntime } from "holdfast";
import { openLauncher } from "./other-launcher.mjs";
import { report } from "./report.mjs";

const WARM_UP_TASKS = 5;

const [home, count] = process.argv.slice(2);
const { tasks } = openRuntime({ home, configDir: path.join(home, "config") });
const launcher = openLauncher(home);
const events = tasks.events({ signal: new AbortController().signal });

// Runs one task to its end, as this process is told of it.
async function follow(command, { onStarted = () => {} } = {}) {
  const told = [];
  const launched = launcher.launch(command);
  do {
    const { value } = await events.next();
    told.push(value);
    if (value.subtype === "task_started") onStarted();
  } while (told.at(-1).subtype !== "task_notification");
  if (told.some((event) => event.task_id !== told[0].task_id))
    throw new Error("Cannot follow two tasks at once");
  await launched;
  return told.map(({ subtype }) => subtype);
}

// The first one lasts until we watch.
const go = path.join(home, "go");
await follow(`until [ -e '${go}' ]; do sleep 0.1; done`, { onStarted: () => fs.writeFileSync(go, "") });
for (let number = 0; number < WARM_UP_TASKS; number++) await follow("true");
const before = performance.eventLoopUtilization();
await report({
  work: async () => {
    const updates = [];
    for (let number = 0; number < Number(count); number++) updates.push(await follow("true"));
    return updates;
  },
  // A start and an end each.
  figuresOf: (updates) => ({
    updateMs: performance.eventLoopUtilization(before).active / (updates.length * 2),
  }),
  resultOf: (updates) => updates,
});
await events.return();
launcher.close();
