import type { Worker } from "node:worker_threads";
import { scanThreadBytesMin } from "../format/limits.ts";
import { endThreads, startThreads, threadProgram } from "../lib/thread-pool.ts";

/** The threads of a scan. They take a while to start, so they are as soon as it is known that it will be a long one. */
export class ScanThreads {
  #workers: Worker[] | undefined;

  /** The threads, started unless they are; undefined when so little is looked through faster without. */
  startFor(bytes: number): readonly Worker[] | undefined {
    if (bytes >= scanThreadBytesMin)
      this.#workers ??= startThreads(threadProgram("search-worker", import.meta.url));
    return this.#workers;
  }

  async close(): Promise<void> {
    await endThreads(this.#workers ?? []);
  }
}
