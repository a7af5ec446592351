// Loaded into a server before anything else (NODE_OPTIONS=--import): tells at its end for how long its event loop was
// blocked. From SIGUSR2 on, so that starting does not count. A loop that does nothing shows the resolution, 1 ms.
import fs from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const RESOLUTION_MS = 1;
const file = process.env.BENCH_DELAY_FILE;

if (isMainThread && file !== undefined) {
  // Not for what the server starts.
  delete process.env.BENCH_DELAY_FILE;
  delete process.env.NODE_OPTIONS;
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  process.on("SIGUSR2", () => delay.reset());
  process.on("exit", () => {
    const [p99Ms, maxMs] = [delay.percentile(99), delay.max].map((nanoseconds) => nanoseconds / 1e6);
    fs.writeFileSync(file, JSON.stringify({ p99Ms, maxMs }));
  });
}
