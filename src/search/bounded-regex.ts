import { codeOf } from "../lib/errors.ts";
import { runBounded, timeIsUp } from "../lib/run-bounded.ts";
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
  const { isMainThread } = process.getBuiltinModule("node:worker_threads");
  let result: Result | typeof timeIsUp;
  try {
    result = runBounded(work, { ms: regexMsMax, breakOnSigint: isMainThread });
  } catch (error) {
    if (codeOf(error) !== "ERR_SCRIPT_EXECUTION_INTERRUPTED") throw error;
    // Whoever handles the signal hears of it only now: while the expression ran, it was for that alone.
    process.kill(process.pid, "SIGINT");
    throw searchError("search_interrupted", `Cannot search for /${wanted.source}/: interrupted`);
  }
  if (result !== timeIsUp) return result;
  throw searchError(
    "query_invalid",
    `Cannot search for /${wanted.source}/: it took more than ${regexMsMax / 1000} s for a few texts; write it so that it has fewer ways to match`,
  );
}
