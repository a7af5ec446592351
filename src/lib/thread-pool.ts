import os from "node:os";
import type { Worker } from "node:worker_threads";

export interface ThreadPoolOptions<Job, Result> {
  /** The module of the other threads, which calls `serveJobs`. */
  program: URL;
  /** All threads together, this one included; by default as many as the machine has cores, up to four. */
  threads?: number;
  /** Does a job in this thread. Others run between two jobs, so that one should be short. */
  here: (job: Job) => Result | Promise<Result>;
  /** Called for one result after the other, while the thread that it came from does its next job. */
  onResult: (job: Job, result: Result) => void;
  signal?: AbortSignal | undefined;
}

const THREADS_MAX = 4;

/**
 * Does all jobs, in the order given, on this thread and others. Results come as they are done. The first failure, or
 * the signal, ends all threads and is thrown.
 */
export async function runOnThreads<Job, Result>(
  jobs: readonly Job[],
  options: ThreadPoolOptions<Job, Result>,
): Promise<void> {
  const { program, threads = Math.min(os.availableParallelism(), THREADS_MAX), signal } = options;
  signal?.throwIfAborted();
  const queue = jobs.values();
  const others = Math.max(0, Math.min(threads, jobs.length) - 1);
  // Loaded when it is needed: it takes longer than all the rest of a search that the index answers.
  const workers = Array.from({ length: others }, () => {
    const { Worker } = process.getBuiltinModule("node:worker_threads");
    return new Worker(program);
  });
  let isEnding = false;
  const onAbort = (): void => void (isEnding = true);
  signal?.addEventListener("abort", onAbort);
  const isOver = (): boolean => isEnding;
  try {
    await Promise.all([
      workHere(queue, options, isOver),
      ...workers.map((worker) => workThere(worker, queue, options, isOver)),
    ]);
  } finally {
    isEnding = true;
    signal?.removeEventListener("abort", onAbort);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  signal?.throwIfAborted();
}

async function workHere<Job, Result>(
  queue: Iterator<Job>,
  { here, onResult }: ThreadPoolOptions<Job, Result>,
  isOver: () => boolean,
): Promise<void> {
  // The others are given their first jobs before this thread is busy.
  await new Promise(setImmediate);
  for (let next = queue.next(); !next.done && !isOver(); next = queue.next()) {
    const result = await here(next.value);
    if (isOver()) return;
    onResult(next.value, result);
    await new Promise(setImmediate);
  }
}

type Answer<Result> = { kind: "done"; result: Result } | { kind: "failed"; error: unknown };

function workThere<Job, Result>(
  worker: Worker,
  queue: Iterator<Job>,
  { onResult, signal }: ThreadPoolOptions<Job, Result>,
  isOver: () => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const given: Job[] = [];
    const give = (): void => {
      const next = isOver() ? undefined : queue.next();
      if (!next || next.done) return;
      given.push(next.value);
      worker.postMessage(next.value, []);
    };
    signal?.addEventListener("abort", () => resolve(), { once: true });
    worker.on("error", reject);
    worker.on("message", (answer: Answer<Result>) => {
      if (answer.kind === "failed") return reject(answer.error);
      if (isOver()) return resolve();
      give();
      try {
        onResult(given.shift()!, answer.result);
      } catch (error) {
        return reject(error);
      }
      if (given.length === 0) resolve();
    });
    // What is done before it has started needs no thread. From then on it has one job more than it does, so that it need not
    // wait until this thread has time to give it the next.
    worker.once("online", () => {
      give();
      give();
      if (given.length === 0) resolve();
    });
  });
}

/** In a thread of the pool: does the jobs that it is sent, one after the other. */
export function serveJobs(work: (job: never) => unknown): void {
  const port = process.getBuiltinModule("node:worker_threads").parentPort!;
  let last = Promise.resolve();
  port.on("message", (job: unknown) => {
    last = last
      .then(() => work(job as never))
      .then(
        (result) => port.postMessage({ kind: "done", result }),
        (error: unknown) => port.postMessage({ kind: "failed", error }),
      );
  });
}

/** The file of a thread's program beside the calling module: a source in the clone, a bundle in the package. */
export function threadProgram(name: string, moduleUrl: string): URL {
  return new URL(`./${name}${moduleUrl.endsWith(".ts") ? ".ts" : ".js"}`, moduleUrl);
}
