import { serveJobs } from "../lib/thread-pool.ts";
import type { TranscriptPart } from "../store/cut-parts.ts";
import { scanUsage } from "./scan-usage.ts";

// The program of a scanning thread. Its rows go over without being copied.
serveJobs(async (job: TranscriptPart[]) => {
  const steps = scanUsage(job);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return { result: step.value, transfer: step.value.map(({ rows }) => rows.buffer as ArrayBuffer) };
});
