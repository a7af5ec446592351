// A chat in a terminal, as small as it can be: Enter says what was typed, Ctrl+B puts the running query into the background and
// begins a new conversation. A script stands in for the agent and another one for the person, so that this checks itself;
// with `process.stdin` in raw mode as the keyboard, somebody can really talk.
// In your own project: import { openRuntime } from "holdfast".
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { isAssistant, openRuntime, textOf, type OpenThreads, type ThreadsEvent } from "../src/index.ts";
import { temporaryHome } from "./temporary-home.ts";

const CTRL_B = "\x02";

const place = temporaryHome();
const runtime = openRuntime(place);
const script = path.join(place.cwd, "script.json");
const steps = [{ text: "I look at it." }, { waitFor: "looked" }, { text: "It is fine." }];
const prompts = { "And you?": [{ text: "I am here." }] };
fs.writeFileSync(script, JSON.stringify({ steps, prompts }));

const screen: string[] = [];
let front = "";
const threads = await runtime.threads.open(
  { runner: { name: "scripted", script }, permission: "ask", cwd: place.cwd },
  { tell: show, takeNotices: async () => [], onIdle() {}, onChanged() {} },
);
await threads.begin();
await harness(threads, person());

// The query went on meanwhile, and its answer is that of a task which every process sees.
const [query] = threads.listBackground();
assert(query);
await query.main.result;
const output = await runtime.agents.output(query.main.task.record.id, { by: "the example" });
console.log(output.content);
assert.deepEqual(output.content, [{ type: "text", text: "It is fine." }]);
assert.deepEqual(screen, ["I look at it.", "(in the background)", "I am here."]);
await threads.closeAll();
await runtime.close();

/** Keys in, deeds out. */
async function harness(chat: OpenThreads, keyboard: AsyncIterable<string>): Promise<void> {
  let line = "";
  const saying: Promise<void>[] = [];
  for await (const key of keyboard) {
    if (key === CTRL_B) await chat.background();
    else if (key === "\r") {
      // Not awaited: the keyboard is read while the agent works.
      saying.push(chat.say(line));
      line = "";
    } else line += key;
  }
  await Promise.all(saying);
}

function show(event: ThreadsEvent): void {
  if (event.kind === "fronted") front = event.thread;
  if (event.kind !== "thread") return;
  const { thread, change } = event;
  if (change.kind === "backgrounded") print("(in the background)");
  // What a query says in the background is shown when it is brought back.
  if (thread === front && change.kind === "entry" && isAssistant(change.entry)) print(textOf(change.entry));
}

function print(text: string): void {
  console.log(text);
  screen.push(text);
}

/** Types, and reads the screen before it types on. */
async function* person(): AsyncGenerator<string> {
  yield* "Look at the build\r";
  await appears("I look at it.");
  yield CTRL_B;
  yield* "And you?\r";
  await appears("I am here.");
  fs.writeFileSync(path.join(place.cwd, "looked"), "");
}

async function appears(text: string): Promise<void> {
  while (!screen.includes(text)) await setTimeout(10);
}
