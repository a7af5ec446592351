// What a model is given of an ended task, many times: holdfast-output.mjs HOME COUNT
import crypto from "node:crypto";
import path from "node:path";
import { openRuntime } from "holdfast";
import { p50 } from "./p50.mjs";
import { report } from "./report.mjs";

const [home, count] = process.argv.slice(2);
const { tasks } = openRuntime({ home, configDir: path.join(home, "config") });
const task = await tasks.find("@last");

await report({
  work: async () => {
    const times = [];
    let last;
    for (let index = 0; index < Number(count); index++) {
      const started = performance.now();
      last = await tasks.output(task, { by: "bench" });
      times.push(performance.now() - started);
    }
    return { times, last };
  },
  figuresOf: ({ times }) => ({ readMs: p50(times) }),
  resultOf: ({ last }) => {
    // The sizes differ, and so does what is said of them.
    const text = last.stdout.replace(/\[output truncated: \d+ bytes\]/, "[…]");
    return crypto.createHash("sha256").update(text).digest("hex");
  },
});
