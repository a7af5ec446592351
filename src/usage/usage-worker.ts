import { serveJobs } from "../lib/thread-pool.ts";
import { type ScanPart, scanUsage } from "./scan-usage.ts";

// The program of a scanning thread.
serveJobs(async (job: ScanPart[]) => {
  const steps = scanUsage(job);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
});
