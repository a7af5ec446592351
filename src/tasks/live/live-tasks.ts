import type { Worker } from "node:worker_threads";
import { threadProgram } from "../../lib/thread-pool.ts";
import { liveRestartMs, liveYoungMegabytes } from "../limits.ts";
import type { RowChanges } from "./known-rows.ts";
import type { LiveMessage, LiveRequest, TaskMoment } from "./live-message.ts";
import type { TaskRow } from "./task-row.ts";

/** Every task of a home, kept current by a thread of its own: asking costs no look at the disk. */
export interface LiveTasks {
  /** All of them, newest first; waits for the first look at all. */
  all(): Promise<readonly TaskRow[]>;
  /** By its whole id. */
  get(id: string): Promise<TaskRow | undefined>;
  /** Called with what has changed since, until the function that it returns is called. */
  onChange(listener: (changes: RowChanges) => void): () => void;
  /**
   * Every start and end from now on, or after a cursor that an earlier one came with, also from another process: once each,
   * in order, until the signal.
   */
  follow(after: string | undefined, options: { signal: AbortSignal }): AsyncGenerator<TaskMoment>;
  close(): Promise<void>;
}

export function openLiveTasks(home: string): LiveTasks {
  return new LiveThread(home);
}

class LiveThread implements LiveTasks {
  readonly #home: string;
  readonly #rows = new Map<string, TaskRow>();
  /** Ids, newest first; undefined when there are others now. */
  #order: string[] | undefined;
  readonly #listeners = new Set<(changes: RowChanges) => void>();
  readonly #followers = new Map<number, { after: string | undefined; tell: (moment: TaskMoment) => void }>();
  #nextStream = 1;
  #worker: Worker | undefined;
  #isClosed = false;
  /** Told of again by a thread that took the place of one that failed. */
  #toldAgain: Set<string> | undefined;
  /** The first look at all. */
  #first: FirstLook = firstLook();

  constructor(home: string) {
    this.#home = home;
    this.#start();
  }

  async all(): Promise<readonly TaskRow[]> {
    await this.#first.promise;
    this.#order ??= [...this.#rows.values()]
      .sort((a, b) => b.startedAtMs - a.startedAtMs || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);
    return this.#order.map((id) => this.#rows.get(id)!);
  }

  async get(id: string): Promise<TaskRow | undefined> {
    await this.#first.promise;
    return this.#rows.get(id);
  }

  onChange(listener: (changes: RowChanges) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async *follow(after: string | undefined, { signal }: { signal: AbortSignal }): AsyncGenerator<TaskMoment> {
    const stream = this.#nextStream++;
    const moments: TaskMoment[] = [];
    let wake = (): void => {};
    const follower = {
      after,
      tell(moment: TaskMoment): void {
        follower.after = moment.cursor;
        moments.push(moment);
        wake();
      },
    };
    const abort = (): void => wake();
    signal.addEventListener("abort", abort);
    this.#followers.set(stream, follower);
    this.#ask({ kind: "follow", stream, after });
    try {
      while (!signal.aborted) {
        yield* moments.splice(0);
        if (moments.length === 0 && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      signal.removeEventListener("abort", abort);
      this.#followers.delete(stream);
      this.#ask({ kind: "leave", stream });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#first.resolve();
    await this.#worker?.terminate();
  }

  #ask(request: LiveRequest): void {
    this.#worker?.postMessage(request, []);
  }

  #start(): void {
    const { Worker } = process.getBuiltinModule("node:worker_threads");
    const worker = new Worker(threadProgram("live-worker", import.meta.url), {
      workerData: { home: this.#home },
      // Rows are handed over as they are read: what is young dies young, and need not fill the memory before.
      resourceLimits: { maxYoungGenerationSizeMb: liveYoungMegabytes },
    });
    this.#worker = worker;
    worker.on("message", (message: LiveMessage) => this.#take(message));
    // Whoever waits is told; what it could not do (its home is gone, memory is short) the next one may.
    worker.on("error", (error) => this.#first.reject(error));
    worker.on("exit", () => this.#startAgain());
    for (const [stream, { after }] of this.#followers) this.#ask({ kind: "follow", stream, after });
  }

  #startAgain(): void {
    this.#worker = undefined;
    if (this.#isClosed) return;
    this.#toldAgain = new Set();
    this.#first = firstLook();
    setTimeout(() => void (this.#isClosed || this.#start()), liveRestartMs).unref();
  }

  #take(message: LiveMessage): void {
    if (message.kind === "rows") this.#change(message.changes);
    else if (message.kind === "moment") this.#followers.get(message.stream)?.tell(message.moment);
    else {
      const again = this.#toldAgain;
      this.#toldAgain = undefined;
      if (again) this.#change({ changed: [], gone: [...this.#rows.keys()].filter((id) => !again.has(id)) });
      this.#first.resolve();
    }
  }

  #change(changes: RowChanges): void {
    for (const row of changes.changed) {
      if (!this.#rows.has(row.id)) this.#order = undefined;
      this.#rows.set(row.id, row);
      this.#toldAgain?.add(row.id);
    }
    for (const id of changes.gone) if (this.#rows.delete(id)) this.#order = undefined;
    for (const listener of this.#listeners) listener(changes);
  }
}

interface FirstLook {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
}

function firstLook(): FirstLook {
  let settle: Omit<FirstLook, "promise">;
  const promise = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
  // Nobody may wait for it.
  promise.catch(() => {});
  return { promise, ...settle! };
}
