import type { Worker } from "node:worker_threads";
import { threadProgram } from "../../lib/thread-pool.ts";
import { asideIdleMs, asidePiecesAhead, asideThreadLimits } from "./limits.ts";
import { errorSent, type FromThread, type ToThread } from "./message.ts";
import type { AsidePlace } from "./place.ts";

interface Waiting {
  onMessage: (message: FromThread) => void;
  onGone: (error: Error) => void;
}

/**
 * One thread that is started when it is first asked, and ended when nothing was asked for a while. When it dies, what waits
 * for it fails, and the next question starts another one.
 */
export class AsideThread {
  readonly #place: AsidePlace;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #ids = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(place: AsidePlace) {
    this.#place = place;
  }

  async ask(verb: string, asked: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    signal?.throwIfAborted();
    const id = ++this.#ids;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#send({ kind: "give-up", id });
        this.#forget(id);
        reject(signal!.reason as Error);
      };
      const done = (): void => {
        signal?.removeEventListener("abort", giveUp);
        this.#forget(id);
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#wait(id, {
        onMessage(message) {
          done();
          if (message.kind === "answer") resolve(message.answer);
          else if (message.kind === "failed") reject(errorSent(message.error));
        },
        onGone(error) {
          done();
          reject(error);
        },
      });
      this.#send({ kind: "ask", id, verb, asked });
    });
  }

  async *open(stream: string, asked: unknown, signal: AbortSignal | undefined): AsyncGenerator {
    signal?.throwIfAborted();
    const id = ++this.#ids;
    const arrived: FromThread[] = [];
    let gone: Error | undefined;
    let wake = (): void => {};
    const onAbort = (): void => wake();
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#wait(id, {
      onMessage(message) {
        arrived.push(message);
        wake();
      },
      onGone(error) {
        gone = error;
        wake();
      },
    });
    this.#send({ kind: "open", id, stream, asked });
    try {
      for (;;) {
        signal?.throwIfAborted();
        const message = arrived.shift();
        if (message === undefined) {
          if (gone) throw gone;
          await new Promise<void>((resolve) => (wake = resolve));
        } else if (message.kind === "piece") {
          yield message.piece;
          this.#send({ kind: "took", id, pieces: 1 });
        } else if (message.kind === "failed") throw errorSent(message.error);
        else return;
      }
    } finally {
      signal?.removeEventListener("abort", onAbort);
      this.#send({ kind: "give-up", id });
      this.#forget(id);
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
    this.#fail(new Error("Cannot answer: the thread was closed"));
  }

  #wait(id: number, waiting: Waiting): void {
    clearTimeout(this.#idle);
    this.#waiting.set(id, waiting);
    this.#start().ref();
  }

  #forget(id: number): void {
    if (!this.#waiting.delete(id) || this.#waiting.size > 0) return;
    // A process that has nothing else to do may end.
    this.#worker?.unref();
    this.#idle = setTimeout(() => void this.close(), asideIdleMs).unref();
  }

  #send(message: ToThread): void {
    this.#worker?.postMessage(message, []);
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const { Worker } = process.getBuiltinModule("node:worker_threads");
    const worker = new Worker(threadProgram("aside-worker", import.meta.url), {
      workerData: { ...this.#place, piecesAhead: asidePiecesAhead },
      resourceLimits: asideThreadLimits,
    });
    worker.on("message", (message: FromThread) => this.#waiting.get(message.id)?.onMessage(message));
    const onGone = (error: Error): void => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#fail(error);
    };
    worker.on("error", onGone);
    worker.on("exit", () => onGone(new Error("Cannot answer: the thread that read it ended; ask again")));
    return (this.#worker = worker);
  }

  #fail(error: Error): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const each of waiting) each.onGone(error);
  }
}
