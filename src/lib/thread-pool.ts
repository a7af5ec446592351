import os from "node:os";
import { Worker, parentPort, type Transferable } from "node:worker_threads";

export interface ThreadPoolOptions<Job, Result> {
  /** The module of the other threads; it calls `serveJobs`. */
  program: URL;
  /** All threads together, this one included; by default as many as the machine has cores, up to four. */
  threads?: number;
  /** Does a job in this thread, in steps, between which others run. */
  here: (job: Job) => Generator<unknown, Result>;
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
  const { threads = Math.min(os.availableParallelism(), THREADS_MAX), signal } = options;
  signal?.throwIfAborted();
  const queue = jobs.values();
  const workers = Array.from(
    { length: Math.min(threads, jobs.length) - 1 },
    () => new Worker(options.program),
  );
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
    const steps = here(next.value);
    let step = steps.next();
    while (!step.done) {
      await new Promise(setImmediate);
      if (isOver()) return void steps.return(undefined as Result);
      step = steps.next();
    }
    onResult(next.value, step.value);
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
    let current: Job;
    const give = (): void => {
      const next = isOver() ? undefined : queue.next();
      if (!next || next.done) return resolve();
      current = next.value;
      worker.postMessage(current, []);
    };
    signal?.addEventListener("abort", () => resolve(), { once: true });
    worker.on("error", reject);
    worker.on("message", (answer: Answer<Result>) => {
      if (answer.kind === "failed") return reject(answer.error);
      if (isOver()) return resolve();
      onResult(current, answer.result);
      give();
    });
    give();
  });
}

export interface JobDone {
  result: unknown;
  transfer?: readonly Transferable[];
}

/** In a thread of the pool: does the jobs that it is sent, one after the other. */
export function serveJobs(work: (job: never) => Promise<JobDone>): void {
  const port = parentPort!;
  port.on("message", (job: unknown) => {
    work(job as never).then(
      ({ result, transfer = [] }) => port.postMessage({ kind: "done", result }, [...transfer]),
      (error: unknown) => port.postMessage({ kind: "failed", error }),
    );
  });
}

/** The file of a thread's program beside the calling module: a source in the clone, a bundle in the package. */
export function threadProgram(name: string, moduleUrl: string): URL {
  return new URL(`./${name}${moduleUrl.endsWith(".ts") ? ".ts" : ".js"}`, moduleUrl);
}
