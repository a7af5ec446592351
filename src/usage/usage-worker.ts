import { serveJobs } from "../lib/thread-pool.ts";
import type { TranscriptPart } from "../store/cut-parts.ts";
import type { MessageRows } from "./message-table.ts";
import { scanUsage } from "./scan-usage.ts";

// The program of a scanning thread. Its rows go over without being copied.
serveJobs(async (job: TranscriptPart) => {
  const steps = scanUsage(job);
  let step = steps.next();
  while (!step.done) step = steps.next();
  const { rows, models } = step.value;
  // The table's memory is larger than its rows; only these are worth sending.
  const exact = rows.slice();
  const result: MessageRows = { rows: exact, models };
  return { result, transfer: [exact.buffer] };
});
