// Runs an agent in a process of its own, watches what happens to it, answers its question, tells it something, and reads its
// answer. A script stands in for a model, so that this runs without a key: with one, `runner` is { name: "anthropic" }.
// In your own project: import { openRuntime } from "holdfast".
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { openRuntime } from "../src/index.ts";
import { temporaryHome } from "./temporary-home.ts";

const place = temporaryHome();
const runtime = openRuntime(place);
const by = "the example";
const script = path.join(place.cwd, "script.json");
fs.writeFileSync(script, JSON.stringify([{ run: "echo linted" }, { hear: true }, { text: "All is well." }]));

const task = await runtime.agents.start({
  prompt: "Fix the lint errors",
  cwd: place.cwd,
  runner: { name: "scripted", script },
  permission: "ask",
});

// The events of every task of the home, in the shapes of the Agent SDK's task messages.
const stop = new AbortController();
const seen: string[] = [];
let cursor: string | undefined;
for await (const event of runtime.tasks.events({ signal: stop.signal })) {
  if (event.subtype === "task_progress") continue;
  seen.push(event.subtype);
  if (event.subtype === "task_started") cursor = event.cursor;
  if (event.subtype === "task_updated" && event.patch.needs_input) {
    const { requestId, title } = event.patch.needs_input;
    console.log(`it asks: ${title}`);
    // An answer names the question that it answers, so it can never allow another one.
    await runtime.agents.answer(task, { requestId, answer: { behavior: "allow" }, by });
    await runtime.agents.send(task, "The tests, too");
  }
  if (event.subtype === "task_notification") {
    console.log(event.summary);
    stop.abort();
  }
}
assert.equal(seen[0], "task_started");
assert.equal(seen.at(-1), "task_notification");
assert(cursor !== undefined);

// Whoever was away goes on behind the last event that it has seen: the ending is told again, once.
const again = new AbortController();
for await (const event of runtime.tasks.events({ signal: again.signal, after: cursor })) {
  assert.equal(event.task_id, task.record.id);
  assert.notEqual(event.subtype, "task_started");
  if (event.subtype === "task_notification") again.abort();
}

const { status, content } = await runtime.agents.output(task, { by });
console.log(content);
assert.deepEqual(
  { status, content },
  { status: "completed", content: [{ type: "text", text: "All is well." }] },
);

const entries: string[] = [];
for await (const entry of runtime.agents.entries(task)) entries.push(JSON.stringify(entry));
assert(entries.some((entry) => entry.includes("Heard: The tests, too")));
await runtime.close();
