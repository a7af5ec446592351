// What a command that watches costs while nothing happens: watch-idle.mjs SECONDS COMMAND…
// It sits at a real terminal. CPU time is that of its process and of all that it has started.
import fs from "node:fs";
import { spawn } from "@lydell/node-pty";
import { report } from "./report.mjs";

/** From its first picture until it is taken to be idle. */
const SETTLE_MS = 3000;
/** The kernel counts CPU time in hundredths of a second, on every machine (USER_HZ). */
const TICK_MS = 10;

const HEADING = "STATUS";

const [seconds, program, ...args] = process.argv.slice(2);
const watcher = spawn(program, args, { cols: 120, rows: 40, env: process.env });
const exited = new Promise((resolve) => watcher.onExit(resolve));
let shown = "";
const isShown = new Promise((resolve) => {
  watcher.onData((piece) => {
    shown += piece;
    if (shown.includes(HEADING)) resolve();
  });
});
await Promise.race([isShown, exited]);
if (!shown.includes(HEADING)) throw new Error(`Nothing was listed: ${shown.slice(-2000)}`);
await wait(SETTLE_MS);

await report({
  work: async () => {
    const before = cpuMs(watcher.pid);
    await wait(Number(seconds) * 1000);
    return cpuMs(watcher.pid) - before;
  },
  figuresOf: (busyMs) => ({ cpuPercent: busyMs / Number(seconds) / 10 }),
  resultOf: () => "idle",
});
watcher.write("\u0003");
await exited;

function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function cpuMs(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
  // Its own, and that of children it has waited for, in user and system mode.
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return children === "" ? own : children.split(" ").reduce((sum, child) => sum + cpuMs(child), own);
}
