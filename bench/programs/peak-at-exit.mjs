// Loaded into a command before anything else (NODE_OPTIONS=--import): tells the peak memory of the process at its end.
import fs from "node:fs";
import { isMainThread } from "node:worker_threads";
import { peakResidentBytes } from "./report.mjs";

if (isMainThread)
  process.on("exit", () => fs.appendFileSync(process.env.BENCH_PEAK_FILE, `${peakResidentBytes()}\n`));
