import { serveJobs } from "../lib/thread-pool.ts";
import { type ScanPart, scanUsage } from "./scan-usage.ts";

// The program of a scanning thread. Its rows go over without being copied.
serveJobs(async (job: ScanPart[]) => {
  const steps = scanUsage(job);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return { result: step.value, transfer: [step.value.rows.buffer as ArrayBuffer] };
});
