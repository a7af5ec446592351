// Drives an agent with a runner of your own. Because it is named as a module, any process can load it: the agent is detached,
// and after a kill -9 it goes on where its transcript ends. In your own project: import { openRuntime } from "holdfast".
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { HoldfastError, isAssistant, openRuntime, textOf } from "../src/index.ts";
import { temporaryHome } from "./temporary-home.ts";

const { cwd, ...place } = temporaryHome();
const runtime = openRuntime(place);
const module = fileURLToPath(new URL("own-runner.ts", import.meta.url));

// It is loaded once when the agent is started, so what is no runner is refused at once.
await assert.rejects(
  runtime.agents.start({ prompt: "Count", cwd, runner: { module: "./none.ts" } }),
  (error) => error instanceof HoldfastError && error.code === "runner_invalid",
);

const task = await runtime.agents.start({
  prompt: "Count to five",
  cwd,
  // After two days it would be at five.
  runner: { module, options: { to: 5, pauseMs: 40_000_000 } },
});

// Killed with everything it consists of, as soon as it has said something.
for await (const entry of runtime.agents.entries(task, { follow: true })) if (isAssistant(entry)) break;
const pid = await runtime.tasks.pid(task);
assert(pid !== undefined);
process.kill(-pid, "SIGKILL");
const ending = await runtime.tasks.wait(task);
console.log(`${task.record.id} ${ending?.status}`);
assert.notEqual(ending?.status, "completed");

// The same agent with the same conversation, as a new task; this time without pauses.
const next = await runtime.agents.continue(task, { runner: { module, options: { to: 5 } } });
const { status } = await runtime.agents.output(next, { by: "the example" });
assert.equal(status, "completed");
const said: string[] = [];
for await (const entry of runtime.agents.entries(next)) if (isAssistant(entry)) said.push(textOf(entry));
console.log(said.join(" "));
assert.deepEqual(said, ["1", "2", "3", "4", "5"]);
await runtime.close();
