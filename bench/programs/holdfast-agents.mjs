// Agents at work at the same time, half of them in a second process: holdfast-agents.mjs FOLDER AGENTS MESSAGES
// The clock runs from when all of them have begun until the last message of the last one is recorded.
import { fork } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { openRuntime } from "holdfast";
import { agentMessage } from "./agent-message.mjs";
import { report } from "./report.mjs";

const [folder, agentCount, messages, role] = process.argv.slice(2);
const count = Number(agentCount) / 2;
const { agents } = openRuntime({ home: path.join(folder, "home"), configDir: path.join(folder, "config") });

let go;
const told = new Promise((resolve) => (go = resolve));
let talking = count;
let allSaid;
const silent = new Promise((resolve) => (allSaid = resolve));

async function* talk() {
  await told;
  for (let number = 0; number < Number(messages); number++)
    yield { kind: "assistant", message: agentMessage(number) };
  talking -= 1;
  if (talking === 0) allSaid();
  // None ends while others talk: an ending is synced to the disk.
  await silent;
  return { reason: "done" };
}

const begun = [];
for (let number = 0; number < count; number++)
  begun.push(await agents.run({ prompt: `Agent ${number}`, cwd: folder, runner: talk, muted: true }));

if (role === "second") {
  process.send("ready");
  await once(process, "message");
  go();
  await silent;
  process.send("done");
  await Promise.all(begun.map(({ result }) => result));
  process.disconnect();
} else {
  const second = fork(import.meta.filename, [folder, agentCount, messages, "second"]);
  await once(second, "message");
  const ended = once(second, "exit");
  await report({
    work: async () => {
      second.send("go");
      go();
      await Promise.all([silent, once(second, "message")]);
    },
    resultOf: () => countLines(path.join(folder, "config", "projects")),
  });
  await Promise.all([...begun.map(({ result }) => result), ended]);
}

// The prompts are no messages of agents.
function countLines(dir) {
  const files = fs.readdirSync(dir, { recursive: true }).filter((name) => name.endsWith(".jsonl"));
  const lines = files.map((name) => fs.readFileSync(path.join(dir, name), "utf8").split("\n").length - 1);
  return lines.reduce((sum, number) => sum + number, 0) - files.length;
}
