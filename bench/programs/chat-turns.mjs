// What a turn of a long chat costs: chat-turns.mjs HOME TURNS COMMAND…
// COMMAND is `holdfast`, which chats at a real terminal with a scripted agent. CPU time and memory are those of its own
// process, read every 100 turns.
import fs from "node:fs";
import path from "node:path";
import { spawn } from "@lydell/node-pty";
import { peakMb } from "./peak-mb.mjs";
import { report } from "./report.mjs";

const TURNS_A_SAMPLE = 100;
/** The kernel counts CPU time in hundredths of a second, on every machine (USER_HZ). */
const TICK_MS = 10;
const PATIENCE_MS = 60_000;
const ANSWER = "The answer: ";

const [home, turns, program, ...args] = process.argv.slice(2);
const script = path.join(home, "script.json");
fs.writeFileSync(script, JSON.stringify({ steps: [{ repeat: Number(turns), steps: turnSteps() }] }));
const chat = spawn(program, [...args, "chat", "--script", script], {
  cols: 100,
  rows: 40,
  cwd: home,
  env: {
    PATH: process.env.PATH,
    HOME: home,
    HOLDFAST_HOME: path.join(home, ".holdfast"),
    CLAUDE_CONFIG_DIR: path.join(home, ".claude"),
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
  },
});
const exited = new Promise((resolve) => chat.onExit(resolve));
let shown = "";
let onShown = () => {};
chat.onData((piece) => {
  shown += piece;
  onShown();
});

await idleAfter("Ask anything");
await report({
  work: async () => {
    const samples = [];
    for (let turn = 1, before = cpuMs(); turn <= Number(turns); turn++) {
      chat.write(`Prompt ${turn}\r`);
      await idleAfter(ANSWER);
      if (turn % TURNS_A_SAMPLE !== 0) continue;
      const now = cpuMs();
      samples.push({ turn, turnCpuMs: (now - before) / TURNS_A_SAMPLE, rssMb: rssMb() });
      before = now;
    }
    return samples;
  },
  figuresOf: (samples) => ({
    // Not the very first: in those turns the code is compiled.
    turnCpuMsFirst: mean(samples.slice(1, 4)),
    turnCpuMsLast: mean(samples.slice(-3)),
    rssMb: samples.at(-1).rssMb,
    peakMb: peakMb(chat.pid),
  }),
  resultOf: (samples) => samples,
});
chat.write("\u0004");
await exited;

function turnSteps() {
  return [
    { tool: "Read", input: { file_path: "/work/notes.txt" }, result: "a line of a file\n".repeat(60) },
    { text: ANSWER + "**words** that fill as many lines as answers often have. ".repeat(8) },
    { end: true },
  ];
}

// Waits until this was shown and the last frame is that of a chat in which nothing runs. Then forgets what was shown.
function idleAfter(text) {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`The chat never showed "${text}":\n${shown.slice(-2000)}`));
    const late = setTimeout(giveUp, PATIENCE_MS);
    onShown = () => {
      const prompt = shown.lastIndexOf("❯");
      if (!shown.includes(text) || shown.includes("Say more", prompt) || !shown.includes("─", prompt)) return;
      clearTimeout(late);
      onShown = () => {};
      shown = "";
      resolve();
    };
    onShown();
  });
}

function cpuMs() {
  const [, fields] = fs.readFileSync(`/proc/${chat.pid}/stat`, "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(11, 13);
  return (Number(user) + Number(system)) * TICK_MS;
}

function rssMb() {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${chat.pid}/status`, "utf8"));
  return (Number(kilobytes) * 1024) / 1e6;
}

function mean(samples) {
  return samples.reduce((sum, { turnCpuMs }) => sum + turnCpuMs, 0) / samples.length;
}
