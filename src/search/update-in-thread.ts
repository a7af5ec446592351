import type { ResourceLimits } from "node:worker_threads";
import { codeOf } from "../lib/errors.ts";
import { threadProgram } from "../lib/thread-pool.ts";
import { indexThreadLimits } from "./limits.ts";
import type { SearchContext } from "./listed-transcripts.ts";
import {
  updateWords,
  type IndexProgress,
  type UpdateIndexOptions,
  type UpdateOutcome,
} from "./update-words.ts";

/** What the thread is to do. */
export interface ThreadedUpdate {
  configDir: string;
  home: string;
  isRebuild: boolean | undefined;
}

/** What the thread says: its outcome is the last. */
export type ThreadMessage =
  | { kind: "progress"; progress: IndexProgress }
  | { kind: "unreadable"; dir: string; error: Error }
  | { kind: "ended"; outcome: UpdateOutcome };

/**
 * `updateWords` in a thread of its own. Texts become garbage as fast as they are read, and a process collects it only when
 * there are hundreds of megabytes; the memory of a thread can be bounded. Where it does not suffice, or there can be no
 * thread, this one goes on.
 */
export async function updateInThread(
  context: SearchContext,
  options: UpdateIndexOptions,
  limits: ResourceLimits = indexThreadLimits,
): Promise<UpdateOutcome> {
  try {
    return await runThread(context, options, limits);
  } catch (error) {
    if (!THREAD_FAILURES.has(codeOf(error) ?? "")) throw error;
    return updateWords(context, options);
  }
}

const THREAD_FAILURES: ReadonlySet<string> = new Set(["ERR_WORKER_OUT_OF_MEMORY", "ERR_WORKER_INIT_FAILED"]);

async function runThread(
  context: SearchContext,
  options: UpdateIndexOptions,
  resourceLimits: ResourceLimits,
): Promise<UpdateOutcome> {
  const { configDir, home } = context;
  const { isRebuild, signal } = options;
  signal?.throwIfAborted();
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(threadProgram("index-worker", import.meta.url), {
    workerData: { configDir, home, isRebuild } satisfies ThreadedUpdate,
    resourceLimits,
  });
  try {
    return await new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      worker.on("error", reject);
      worker.on("exit", () => reject(new Error("The thread that updates the index ended before its work")));
      worker.on("message", (message: ThreadMessage) => {
        if (message.kind === "ended") return resolve(message.outcome);
        try {
          passOn(message, context, options);
        } catch (error) {
          reject(error);
        }
      });
    });
  } finally {
    await worker.terminate();
  }
}

function passOn(
  message: Exclude<ThreadMessage, { kind: "ended" }>,
  { onUnreadable }: SearchContext,
  { onProgress }: UpdateIndexOptions,
): void {
  if (message.kind === "progress") onProgress?.(message.progress);
  else onUnreadable?.(message.dir, message.error);
}
