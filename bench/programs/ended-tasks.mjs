// Fills a home with ended tasks: ended-tasks.mjs HOME COUNT
// One is run; the others are copies of its files under ids of their own, as if each had been run.
import fs from "node:fs";
import path from "node:path";
import { openRuntime } from "holdfast";

const [home, count] = process.argv.slice(2);
const runtime = openRuntime({ home, configDir: path.join(home, "config"), env: process.env });
const task = await runtime.tasks.start({ command: "echo done", cwd: home });
await runtime.tasks.wait(task);
const dir = path.dirname(task.files.base);
const isTidy = () => !fs.existsSync(task.files.endingDraft);
while (!isTidy()) await new Promise((resolve) => setTimeout(resolve, 10));

const { id } = task.record;
const originals = fs
  .readdirSync(dir)
  .filter((name) => name.startsWith(`${id}.`))
  .map((name) => ({ ending: name.slice(id.length), text: fs.readFileSync(path.join(dir, name), "utf8") }));
for (let number = 1; number < Number(count); number++) {
  const copy = `b${number.toString(36).padStart(8, "0")}`;
  for (const { ending, text } of originals) {
    fs.writeFileSync(path.join(dir, `${copy}${ending}`), text.replaceAll(id, copy), { mode: 0o600 });
  }
}
await runtime.close();
