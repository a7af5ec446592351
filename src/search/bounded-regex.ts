import { codeOf } from "../lib/errors.ts";
import { searchError } from "./errors.ts";
import { regexMsMax } from "./limits.ts";

type Wanted = { kind: "query" } | { kind: "regex"; source: string };

/**
 * Does work that matches texts with what is looked for. A regular expression can take longer than anybody lives: it is given
 * up after a while, and ends with Ctrl+C, which nothing else in this thread would hear of. What `work` had open then stays
 * open, because nothing of it goes on. Throws `query_invalid` and `search_interrupted`.
 */
export function withinTime<Result>(wanted: Wanted, work: () => Result): Result {
  if (wanted.kind === "query") return work();
  const { createContext, runInContext } = process.getBuiltinModule("node:vm");
  const { isMainThread } = process.getBuiltinModule("node:worker_threads");
  const place: { work: () => Result; result?: Result } = { work };
  try {
    const options = { timeout: regexMsMax, breakOnSigint: isMainThread };
    runInContext("result = work()", createContext(place), options);
  } catch (error) {
    if (codeOf(error) === "ERR_SCRIPT_EXECUTION_INTERRUPTED") {
      // Whoever handles the signal hears of it only now: while the expression ran, it was for that alone.
      process.kill(process.pid, "SIGINT");
      throw searchError("search_interrupted", `Cannot search for /${wanted.source}/: interrupted`);
    }
    if (codeOf(error) !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw searchError(
      "query_invalid",
      `Cannot search for /${wanted.source}/: it took more than ${regexMsMax / 1000} s for a few texts; write it so that it has fewer ways to match`,
    );
  }
  return place.result as Result;
}
