import { messageOf } from "../../lib/errors.ts";
import { threadProgram } from "../../lib/thread-pool.ts";
import { taskError } from "../errors.ts";
import { searchPattern, type OutputFound, type OutputQuery } from "./search-output.ts";

/**
 * Looks through one output in a thread of its own, whatever its size, and whatever the expression costs: it ends when the
 * reader stops, or at the signal. Throws `task_refused` for an expression that is none.
 */
export async function* searchInThread(
  file: string,
  query: OutputQuery,
  { signal }: { signal: AbortSignal },
): AsyncGenerator<OutputFound> {
  checkPattern(query);
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(threadProgram("search-output-worker", import.meta.url), {
    workerData: { file, query },
  });
  const found: OutputFound[] = [];
  let failure: unknown;
  let [isOver, wake] = [false, (): void => {}];
  const end = (): void => {
    isOver = true;
    wake();
  };
  worker.on("message", (each: OutputFound) => {
    found.push(each);
    wake();
  });
  worker.on("error", (error) => (failure = error));
  worker.on("exit", end);
  signal.addEventListener("abort", end);
  try {
    for (;;) {
      yield* found.splice(0);
      if (found.length > 0) continue;
      if (failure !== undefined) throw failure;
      if (isOver) return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal.removeEventListener("abort", end);
    await worker.terminate();
  }
}

function checkPattern(query: OutputQuery): void {
  try {
    searchPattern(query);
  } catch (cause) {
    const message = `Cannot search for /${query.q}/: ${messageOf(cause)}`;
    throw taskError("task_refused", message, { cause });
  }
}
