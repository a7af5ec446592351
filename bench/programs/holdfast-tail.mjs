// The end of an output, many times: holdfast-tail.mjs FILE BYTES COUNT
import crypto from "node:crypto";
// What `holdfast logs --tail` reads with. Not public, so taken from the source; only the calls are timed.
import { readTail } from "../../src/tasks/output/read-output.ts";
import { p50 } from "./p50.mjs";
import { report } from "./report.mjs";

const [file, bytes, count] = process.argv.slice(2);
const bytesMax = Number(bytes);

await report({
  work: () => {
    const times = [];
    let last;
    for (let index = 0; index < Number(count); index++) {
      const started = performance.now();
      last = readTail(file, { bytesMax });
      times.push(performance.now() - started);
    }
    return { times, last };
  },
  figuresOf: ({ times }) => ({ readMs: p50(times) }),
  resultOf: ({ last }) => crypto.createHash("sha256").update(last.text).digest("hex"),
});
