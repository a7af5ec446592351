import { messageOf } from "../../lib/errors.ts";
import { patient } from "../host/patient-events.ts";
import type { RunnerEnd, RunnerEvent } from "../../tasks/ports.ts";

export type QueryEvents = AsyncGenerator<RunnerEvent, RunnerEnd>;

/** How a query left the foreground. */
export type QueryEnd =
  | EndedQuery
  /** It goes on elsewhere: these are the events still to come, the one that is being waited for first. */
  | { kind: "handed-over"; rest: QueryEvents };

export type EndedQuery =
  | { kind: "done"; reason: RunnerEnd["reason"] }
  | { kind: "interrupted" }
  | { kind: "failed"; message: string };

/**
 * Drives a query in the foreground: the agent goes on only when what it said last was taken, which is when it is in the
 * transcript. Handed over between two events, nothing is lost and nothing is told twice.
 */
export async function runInFront(
  query: QueryEvents,
  take: (event: RunnerEvent) => Promise<void>,
  { signal, handOver }: { signal: AbortSignal; handOver: AbortSignal },
): Promise<QueryEnd> {
  // Patience with an agent that was told to stop is the business of whoever it is handed over to.
  const inFront = new AbortController();
  const onAbort = (): void => inFront.abort();
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const events = patient(query, inFront.signal);
  let isHandedOver = false;
  try {
    for (;;) {
      const coming = events.next();
      const next = await unlessAborted(coming, handOver);
      if (next === "aborted") {
        isHandedOver = true;
        return { kind: "handed-over", rest: restOf(coming, query) };
      }
      if (next === undefined || (next.done && signal.aborted)) return { kind: "interrupted" };
      if (next.done) return { kind: "done", reason: next.value.reason };
      // Also when it was told to stop: the results of tools that it broke off are still to come.
      await take(next.value);
    }
  } catch (error) {
    return endedBy(error, signal);
  } finally {
    signal.removeEventListener("abort", onAbort);
    if (!isHandedOver) await events.close();
  }
}

/** What an error of a query means: after the signal it is only the way in which the query ended. */
export function endedBy(error: unknown, signal: AbortSignal): EndedQuery {
  if (signal.aborted) return { kind: "interrupted" };
  return { kind: "failed", message: messageOf(error) };
}

// Not a race with one promise for the whole query: that would hold every event until the query ends.
function unlessAborted<T>(coming: Promise<T>, signal: AbortSignal): Promise<T | "aborted"> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve("aborted");
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    void coming.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

async function* restOf(
  coming: Promise<IteratorResult<RunnerEvent, RunnerEnd> | undefined>,
  events: QueryEvents,
): QueryEvents {
  try {
    for (let next = await coming; next; next = await events.next()) {
      if (next.done) return next.value;
      yield next.value;
    }
    return { reason: "done" };
  } finally {
    await events.return({ reason: "done" });
  }
}
