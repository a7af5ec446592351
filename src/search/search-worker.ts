import { serveJobs } from "../lib/thread-pool.ts";
import type { TranscriptPart } from "../store/cut-parts.ts";
import { prepareDocuments } from "./prepare-documents.ts";
import { takeBatches, type SharedScan } from "./shared-scan.ts";

export type SearchJob =
  | { kind: "prepare"; parts: TranscriptPart[] }
  /** `begun` has a place for each thread, which is set before the thread takes anything. */
  | { kind: "scan"; scan: SharedScan; begun: Int32Array; thread: number };

// The program of a thread that prepares texts for the index, or looks through what is not in it.
serveJobs(async (job: SearchJob) => {
  if (job.kind === "scan") {
    Atomics.store(job.begun, job.thread, 1);
    return takeBatches(job.scan);
  }
  const prepared = [];
  for (const part of job.parts) prepared.push(await prepareDocuments(part));
  return prepared;
});
