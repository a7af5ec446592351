import { setTimeout } from "node:timers/promises";
import { JetStreamApiError, JetStreamError } from "@nats-io/jetstream";
import {
  ClosedConnectionError,
  ConnectionError,
  NoRespondersError,
  PermissionViolationError,
  RequestError,
  TimeoutError,
} from "@nats-io/transport-node";
import { fleetError } from "../errors.ts";

/**
 * Asks again while the server is away, electing, or slow: those pass. Everything else is the caller's at once. Waits a
 * little longer each time, with chance in it, so that a thousand clients do not come back in one instant.
 */
export async function untilServed<T>(
  work: () => Promise<T>,
  { signal, timeoutMs = Infinity }: { signal?: AbortSignal | undefined; timeoutMs?: number } = {},
): Promise<T> {
  const giveUpAt = performance.now() + timeoutMs;
  for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 1000)) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw translated(error);
      if (performance.now() + waitMs > giveUpAt) throw unreachable(error);
    }
    await setTimeout(waitMs * (0.5 + Math.random()), undefined, signal && { signal });
  }
}

/** Whether the same request may succeed later without anything being changed. */
export function isPassing(error: unknown): boolean {
  const chain = causesOf(error);
  if (chain.some((each) => each instanceof ClosedConnectionError || each instanceof PermissionViolationError))
    return false;
  const refusal = chain.find((each) => each instanceof JetStreamApiError);
  if (refusal) return refusal.status === 503 || passingCodes.has(refusal.code);
  // Where nobody answers, the client says that JetStream is not enabled; the cause says what is true.
  return chain.some((each) => passing.some((type) => each instanceof type));
}

const passing = [TimeoutError, NoRespondersError, RequestError, ConnectionError, JetStreamError];

function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && !chain.includes(at); at = at.cause) chain.push(at);
  return chain;
}

/** Whether the server says that there is no such stream or consumer. */
export function isMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.status === 404;
}

/** Whether a write was refused because something else is last, or while the server does not know yet what is. */
export function isWrongSequence(error: unknown): boolean {
  return error instanceof JetStreamApiError && (error.code === 10071 || error.code === 10164);
}

// "Insufficient resources" and "temporarily unavailable" of a cluster whose nodes are coming back.
const passingCodes = new Set([10008, 10023, 10041, 10118]);

function translated(error: unknown): unknown {
  const subject = causesOf(error).find((each) => each instanceof PermissionViolationError)?.subject;
  if (subject !== undefined) {
    return fleetError("fleet_forbidden", `Cannot use "${subject}": the role of this key may not`, {
      cause: error,
    });
  }
  return error instanceof ClosedConnectionError ? unreachable(error) : error;
}

function unreachable(cause: unknown): Error {
  return fleetError("fleet_unreachable", `Cannot reach the fleet: ${(cause as Error).message}`, {
    cause,
    retryable: true,
  });
}
