// From the last exit of tasks that end at one moment until all endings are known: holdfast-at-once.mjs HOME COUNT STAMP
import fs from "node:fs";
import path from "node:path";
import { openRuntime } from "holdfast";
import { report } from "./report.mjs";

// Long enough to launch them all before the first one ends.
const LAUNCH_MS = 25;
const SETTLE_MS = 1_500;

const [home, count, stamp] = process.argv.slice(2);
fs.mkdirSync(home, { recursive: true, mode: 0o700 });
const runtime = openRuntime({ home, configDir: path.join(home, "config"), env: process.env });
const { tasks } = runtime;

await report({
  work: async () => {
    const endAt = performance.now() + Number(count) * LAUNCH_MS + SETTLE_MS;
    const launched = [];
    for (let number = 0; number < Number(count); number++) {
      const file = path.join(home, `stamp-${number}`);
      const delay = Math.round(endAt - performance.now());
      if (delay <= 0) throw new Error("the first tasks ended before the last one was launched");
      launched.push({
        file,
        task: await tasks.start({ command: `exec ${stamp} ${file} ${delay} 0`, cwd: home }),
      });
    }
    await new Promise((resolve) => setTimeout(resolve, endAt - performance.now() - 100));
    const forksBefore = forksSinceBoot();
    const states = await Promise.all(launched.map(({ task }) => tasks.wait(task)));
    const knownAt = process.hrtime.bigint();
    // What tidies up behind the endings counts, too.
    while (fs.readdirSync(path.join(home, "running")).length > 0) await new Promise(setImmediate);
    const forks = forksSinceBoot() - forksBefore;
    const lastExit = launched
      .map(({ file }) => BigInt(fs.readFileSync(file, "utf8").trim()))
      .reduce((last, each) => (each > last ? each : last));
    return { states, noticeMs: Number(knownAt - lastExit) / 1e6, forks: forks / Number(count) };
  },
  figuresOf: ({ noticeMs, forks }) => ({ noticeMs, forks }),
  resultOf: ({ states }) => states.filter(({ status }) => status === "completed").length,
});
await runtime.close();

function forksSinceBoot() {
  return Number(/^processes (\d+)$/m.exec(fs.readFileSync("/proc/stat", "utf8"))[1]);
}
