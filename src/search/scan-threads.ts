import type { Worker } from "node:worker_threads";
import { scanThreadBytesMin } from "../store/limits.ts";
import { endThreads, giveJob, startThreads, threadProgram } from "../lib/thread-pool.ts";
import type { ScanResult } from "./scan-matches.ts";
import type { SharedScan } from "./shared-scan.ts";

/** The threads of a scan. They take a while to start, so they are as soon as it is known that it will be a long one. */
export class ScanThreads {
  #workers: Worker[] | undefined;

  /** Starts the threads, unless they are; so little is looked through faster without. */
  startFor(bytes: number): void {
    if (bytes >= scanThreadBytesMin)
      this.#workers ??= startThreads(threadProgram("search-worker", import.meta.url));
  }

  /**
   * What all threads found, this one, by `here`, too. A thread that has not begun when this one finds nothing left is not
   * waited for: it has taken nothing.
   */
  async scan(scan: SharedScan, here: () => Promise<ScanResult>): Promise<ScanResult[]> {
    const workers = this.#workers ?? [];
    const begun = new Int32Array(new SharedArrayBuffer(workers.length * Int32Array.BYTES_PER_ELEMENT));
    const answers = workers.map((worker, thread) => {
      const answer = giveJob<ScanResult>(worker, { kind: "scan", scan, begun, thread });
      // Who is waited for is told below.
      answer.catch(() => {});
      return answer;
    });
    const found = await here();
    const awaited = answers.filter((_, thread) => Atomics.load(begun, thread) > 0);
    return [found, ...(await Promise.all(awaited))];
  }

  async close(): Promise<void> {
    await endThreads(this.#workers ?? []);
  }
}
