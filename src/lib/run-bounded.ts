import { codeOf } from "./errors.ts";

/** Answered by `runBounded` when the time was up. */
export const timeIsUp: unique symbol = Symbol("time is up");

export interface BoundOptions {
  ms: number;
  /** Ctrl+C ends it: nothing else in this thread would hear of it. */
  breakOnSigint?: boolean;
}

/**
 * Does work that nothing of ours can end, such as matching a regular expression, and gives it up after a while. What it had
 * open then stays open, because nothing of it goes on.
 */
export function runBounded<Result>(
  work: () => Result,
  { ms, breakOnSigint = false }: BoundOptions,
): Result | typeof timeIsUp {
  const { createContext, runInContext } = process.getBuiltinModule("node:vm");
  const place: { work: () => Result; result?: Result } = { work };
  try {
    runInContext("result = work()", createContext(place), { timeout: ms, breakOnSigint });
  } catch (error) {
    if (codeOf(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT") return timeIsUp;
    throw error;
  }
  return place.result as Result;
}
