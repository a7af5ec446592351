// Fills a home with ended tasks: ended-tasks.mjs HOME COUNT PROJECTS YOUNGEST_DAYS UNTOLD
// One task is run. The others have the files that it left, under ids, times and folders of their own, as if each had been
// run: the youngest ended YOUNGEST_DAYS ago, the oldest 20 days before it. Everybody was told of them, except of the
// youngest UNTOLD. Prints the id and the name of one in the middle.
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { openRuntime } from "holdfast";
import { projectKey } from "holdfast/format";

const DAY_MS = 86_400_000;
const SPREAD_MS = 20 * DAY_MS;
const RUNTIME_MS = 60_000;
const NAMED_EVERY = 10;

const [home, ...numbers] = process.argv.slice(2);
const [count, projects, youngestDays, untold] = numbers.map(Number);
fs.mkdirSync(home, { recursive: true, mode: 0o700 });
const original = await runOne();
// Nothing is left of it, nor of what is derived from it.
fs.rmSync(home, { recursive: true });
const youngestMs = Date.now() - youngestDays * DAY_MS;
for (let number = 0; number < count; number++) writeTask(number);
process.stdout.write(JSON.stringify({ id: idOf(named()), name: nameOf(named()) }));

async function runOne() {
  const runtime = openRuntime({ home, configDir: path.join(home, "config"), env: process.env });
  const task = await runtime.tasks.start({ command: "echo done", cwd: home, name: "one" });
  await runtime.tasks.wait(task);
  while (fs.existsSync(task.files.endingDraft)) await new Promise((resolve) => setTimeout(resolve, 10));
  await runtime.tasks.consumeNotices({ by: "bench" });
  await runtime.close();
  const { id } = task.record;
  const dir = path.dirname(task.files.base);
  const files = fs
    .readdirSync(dir)
    .filter((name) => name.startsWith(`${id}.`))
    .map((name) => ({
      ending: name.slice(id.length),
      text: fs.readFileSync(path.join(dir, name), "utf8"),
      mode: fs.statSync(path.join(dir, name)).mode,
    }));
  const manifestLine = fs.readFileSync(path.join(dir, "..", "background.jsonl"), "utf8").split("\n")[0];
  return { id, dir, files, manifestLine };
}

function writeTask(number) {
  const endedMs = youngestMs - (SPREAD_MS * (count - 1 - number)) / count;
  const startedAt = new Date(endedMs - RUNTIME_MS).toISOString();
  const id = idOf(number);
  const cwd = path.join(home, "work", String(number % projects));
  const dir = path.join(home, "projects", projectKey(cwd), "tasks");
  fs.mkdirSync(cwd, { recursive: true, mode: 0o700 });
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (const { ending, text, mode } of original.files) {
    if (ending === ".notice.consumed" && number >= count - untold) continue;
    const file = path.join(dir, `${id}${ending}`);
    const changed = ending === ".json" ? changeRecord(text, { number, id, cwd, startedAt }) : text;
    fs.writeFileSync(file, changed, { mode });
    fs.utimesSync(file, endedMs / 1000, endedMs / 1000);
  }
  const line = JSON.parse(original.manifestLine.replaceAll(original.dir, dir).replaceAll(original.id, id));
  const manifested = `${JSON.stringify({ ...line, cwd, timestamp: startedAt })}\n`;
  const daily = path.join(home, "manifests", `background-${startedAt.slice(0, 10)}.jsonl`);
  fs.mkdirSync(path.dirname(daily), { recursive: true, mode: 0o700 });
  for (const file of [daily, path.join(dir, "..", "background.jsonl")]) {
    fs.appendFileSync(file, manifested, { mode: 0o600 });
    fs.utimesSync(file, endedMs / 1000, endedMs / 1000);
  }
}

function changeRecord(text, { number, id, cwd, startedAt }) {
  const { name: _, ...record } = JSON.parse(text);
  const name = number % NAMED_EVERY === 0 ? nameOf(number) : undefined;
  return `${JSON.stringify({ ...record, id, name, cwd, startedAt })}\n`;
}

/** As random as real ones: their order says nothing of their age. */
function idOf(number) {
  const digits = crypto.hash("sha256", String(number), "buffer").readUIntBE(0, 6).toString(36);
  return `b${digits.slice(-8).padStart(8, "0")}`;
}

function nameOf(number) {
  return `task-${number}`;
}

function named() {
  return Math.floor(count / 2 / NAMED_EVERY) * NAMED_EVERY;
}
