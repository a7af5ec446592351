import { serveJobs } from "../lib/thread-pool.ts";
import type { TranscriptPart } from "../store/cut-parts.ts";
import { prepareDocuments } from "./prepare-documents.ts";
import { scanForMatches, type ScanJob } from "./scan-matches.ts";

export type SearchJob = { kind: "prepare"; parts: TranscriptPart[] } | ({ kind: "scan" } & ScanJob);

// The program of a thread that prepares texts for the index, or looks through what is not in it.
serveJobs(async (job: SearchJob) => {
  if (job.kind === "scan") return { result: await scanForMatches(job) };
  const prepared = [];
  for (const part of job.parts) prepared.push(await prepareDocuments(part));
  return { result: prepared };
});
