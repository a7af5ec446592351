import type { Worker } from "node:worker_threads";
import { scanThreadBytesMin } from "../format/limits.ts";
import { endThreads, startThreads, threadProgram } from "../lib/thread-pool.ts";

/** The threads of a scan that are started while it is still being found out what there is to scan. */
export class EarlyThreads {
  #expectedBytes = 0;
  #workers: readonly Worker[] | undefined;

  /** So much more is to be scanned: starts the threads as soon as that is worth it. */
  expect(bytes: number): void {
    this.#expectedBytes += bytes;
    if (this.#expectedBytes >= scanThreadBytesMin)
      this.#workers ??= startThreads(threadProgram("usage-worker", import.meta.url));
  }

  /** Undefined when none were started. */
  get workers(): readonly Worker[] | undefined {
    return this.#workers;
  }

  async close(): Promise<void> {
    await endThreads(this.#workers ?? []);
  }
}
