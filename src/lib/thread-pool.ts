import os from "node:os";
import type { Worker } from "node:worker_threads";

export interface ThreadPoolOptions<Job, Result> {
  /** The module of the other threads, which calls `serveJobs`. */
  program: URL;
  /** All threads together, this one included; by default as many as the machine has cores, up to four. */
  threads?: number;
  /** Does a job in this thread, in steps, between which others run; without it this thread only takes results. */
  here?: (job: Job) => Generator<unknown, Result> | Promise<Result>;
  /** Called for one result after the other, while the thread that it came from does its next job. */
  onResult: (job: Job, result: Result) => void;
  signal?: AbortSignal | undefined;
}

const THREADS_MAX = 4;

/** Starts threads for `giveJob`. That takes a while, so whoever knows early that there will be jobs can do something else. */
export function startThreads(program: URL, threads: number = usualThreads()): Worker[] {
  // Loaded when it is needed: it takes longer than all the rest of a search that the index answers.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  return Array.from({ length: threads - 1 }, () => new Worker(program));
}

export async function endThreads(workers: readonly Worker[]): Promise<void> {
  await Promise.all(workers.map((worker) => worker.terminate()));
}

function usualThreads(): number {
  return Math.min(os.availableParallelism(), THREADS_MAX);
}

/**
 * Does all jobs, in the order given, on this thread and others. Results come as they are done. The first failure, or
 * the signal, ends all threads and is thrown.
 */
export async function runOnThreads<Job, Result>(
  jobs: readonly Job[],
  options: ThreadPoolOptions<Job, Result>,
): Promise<void> {
  const { program, threads = usualThreads(), signal } = options;
  signal?.throwIfAborted();
  const queue = jobs.values();
  const workers = startThreads(program, Math.min(threads, jobs.length));
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
    await endThreads(workers);
  }
  signal?.throwIfAborted();
}

async function workHere<Job, Result>(
  queue: Iterator<Job>,
  { here, onResult }: ThreadPoolOptions<Job, Result>,
  isOver: () => boolean,
): Promise<void> {
  if (!here) return;
  // The others are given their first jobs before this thread is busy.
  await new Promise(setImmediate);
  for (let next = queue.next(); !next.done && !isOver(); next = queue.next()) {
    const result = await inSteps(here(next.value), isOver);
    if (isOver()) return;
    onResult(next.value, result as Result);
    await new Promise(setImmediate);
  }
}

async function inSteps<Result>(
  work: Generator<unknown, Result> | Promise<Result>,
  isOver: () => boolean,
): Promise<Result | undefined> {
  if (work instanceof Promise) return work;
  let step = work.next();
  while (!step.done) {
    await new Promise(setImmediate);
    step = isOver() ? work.return(undefined as Result) : work.next();
  }
  return step.value;
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
    const give = (): boolean => {
      const next = isOver() ? undefined : queue.next();
      if (!next || next.done) return false;
      current = next.value;
      worker.postMessage(current, []);
      return true;
    };
    signal?.addEventListener("abort", () => resolve(), { once: true });
    worker.on("error", reject);
    worker.on("message", (answer: Answer<Result>) => {
      if (answer.kind === "failed") return reject(answer.error);
      if (isOver()) return resolve();
      const done = current;
      const isLast = !give();
      try {
        onResult(done, answer.result);
      } catch (error) {
        return reject(error);
      }
      if (isLast) resolve();
    });
    if (!give()) resolve();
  });
}

/** In a thread of the pool: does the jobs that it is sent, one after the other. */
export function serveJobs<Job>(work: (job: Job) => Promise<unknown>): void {
  const port = process.getBuiltinModule("node:worker_threads").parentPort!;
  port.on("message", (job: Job) => {
    work(job).then(
      (result) => port.postMessage({ kind: "done", result }),
      (error: unknown) => port.postMessage({ kind: "failed", error }),
    );
  });
}

/** The file of a thread's program beside the calling module: a source in the clone, a bundle in the package. */
export function threadProgram(name: string, moduleUrl: string): URL {
  return new URL(`./${name}${moduleUrl.endsWith(".ts") ? ".ts" : ".js"}`, moduleUrl);
}
