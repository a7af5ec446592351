import { Worker } from "node:worker_threads";
import { taskError, type TaskErrorCode } from "../../errors.ts";
import type { LaunchedTask } from "./launch-shell.ts";
import type { ShellRequest } from "./shell-request.ts";

export interface LaunchThreadOptions {
  home: string;
  env: Record<string, string | undefined>;
}

export interface LaunchAsked {
  number: number;
  request: ShellRequest;
}

export type LaunchAnswer = { number: number } & (
  | { launched: LaunchedTask }
  | { refused: { code?: TaskErrorCode; message: string; retryable?: boolean; fields?: object } }
);

interface Waiting {
  resolve: (launched: LaunchedTask) => void;
  reject: (error: Error) => void;
}

/**
 * Launches commands from a thread of their own, for a process that launches many: a launch is a dozen calls of the file
 * system and takes milliseconds, of which the event loop that serves everybody else spends none. The thread does what
 * this one would have done; it ends with this process.
 */
export class LaunchThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;

  constructor(options: LaunchThreadOptions) {
    const program = import.meta.url.endsWith(".ts") ? "./launch-worker.ts" : "./launch-worker.js";
    this.#worker = new Worker(new URL(program, import.meta.url), { workerData: options, stdin: false });
    this.#worker.on("message", (answer: LaunchAnswer) => this.#answer(answer));
    this.#worker.on("error", (cause) => this.#fail(cause));
    this.#worker.on("exit", () => this.#fail(undefined));
    this.#worker.unref();
  }

  launch(request: ShellRequest): Promise<LaunchedTask> {
    const number = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      // Only an unanswered request keeps this process alive.
      this.#worker.ref();
      this.#worker.postMessage({ number, request } satisfies LaunchAsked, []);
    });
  }

  close(): void {
    void this.#worker.terminate();
  }

  #answer(answer: LaunchAnswer): void {
    const waiting = this.#waiting.get(answer.number);
    this.#waiting.delete(answer.number);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ("launched" in answer) return waiting?.resolve(answer.launched);
    const { code = "launch_failed", message, retryable = false, fields } = answer.refused;
    waiting?.reject(taskError(code, message, { retryable, ...(fields && { fields: { ...fields } }) }));
  }

  #fail(cause: unknown): void {
    const error = taskError("launch_failed", "Cannot start task: the thread that launches has ended", {
      cause,
      retryable: true,
    });
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
