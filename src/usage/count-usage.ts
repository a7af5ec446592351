import type { Worker } from "node:worker_threads";
import { loadPrices } from "./prices/price.ts";
import type { AnyTranscript } from "../store/all-transcripts.ts";
import { readMessages, type CountedFile } from "./read-messages.ts";
import type { UsageContext, UsageOptions } from "./report-usage.ts";
import type { SumsCache, SumsSource, UsageSums } from "./sums-cache.ts";
import { UsageCache } from "./usage-cache.ts";
import { mergeFiles, sumCells } from "./usage-cells.ts";

export interface Counting {
  source: SumsSource & { transcripts: AnyTranscript[] };
  sums: SumsCache;
  indexDir: string;
  /** Threads that were started already. */
  workers: readonly Worker[] | undefined;
  /** Whether what is asked for cuts the days or the files apart: then nothing is kept of it. */
  ofMessages: boolean;
  /** Whether what is asked for keeps the files apart. */
  ofFiles: boolean;
}

/** Counts what was not counted before, and keeps it. */
export async function countUsage(
  context: UsageContext,
  options: UsageOptions,
  { source, sums, indexDir, workers, ofMessages, ofFiles }: Counting,
): Promise<UsageSums> {
  const cache = new UsageCache(indexDir);
  const [{ files, scannedBytes }, priceOf] = await Promise.all([
    readMessages(source.transcripts, cache.read(), { ...options, workers }),
    loadPrices(context.prices),
  ]);
  if (scannedBytes > 0) cache.write(files);
  if (ofMessages) {
    const includes = momentFilter(options);
    return { files, cells: sumCells(files, { priceOf, includes, partOf: taskFinder(options) }) };
  }
  const cells = sumCells(files, { priceOf });
  const ofAllFiles = mergeFiles(cells);
  sums.write(source, { files, cells, ofAllFiles });
  return { files, cells: ofFiles ? cells : ofAllFiles };
}

function momentFilter({ since, until }: UsageOptions): (at: number) => boolean {
  if (since === undefined && until === undefined) return () => true;
  const [from, to] = [since?.getTime() ?? -Infinity, until?.getTime() ?? Infinity];
  return (at) => at >= from && at <= to;
}

/** The task of a message: of those that wrote its transcript, the one that had started last when it was sent. */
function taskFinder({ tasks = [] }: UsageOptions): (file: CountedFile, at: number) => string {
  const byPath = new Map<string, { taskId: string; startedMs: number }[]>();
  for (const { taskId, path, startedAt } of tasks) {
    const ofPath = byPath.get(path) ?? [];
    byPath.set(path, ofPath);
    ofPath.push({ taskId, startedMs: Date.parse(startedAt) });
    ofPath.sort((a, b) => a.startedMs - b.startedMs);
  }
  return ({ path, agentId }, at) => {
    const ofPath = byPath.get(path);
    if (!ofPath) return agentId ?? NO_TASK;
    return (ofPath.findLast(({ startedMs }) => startedMs <= at) ?? ofPath[0]!).taskId;
  };
}

const NO_TASK = "none";
