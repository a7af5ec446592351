import type { Consumer, JsMsg } from "@nats-io/jetstream";
import { fleetRequestMs, leaseBeatsPerLease } from "../limits.ts";
import type { FleetConnection } from "../transport/connection.ts";
import { fleetError } from "../errors.ts";
import { queueConsumer, runsStream } from "../transport/names.ts";
import { isMissing, untilServed } from "../transport/retry.ts";
import { parseRun, type RunRequest } from "../transport/run-request.ts";

/** A run that was taken from a queue, and is ours while we say so often enough. */
export interface LeasedRun {
  request: RunRequest;
  /** How often it was given to a worker, this time included. */
  deliveries: number;
  /** Takes it out of the queue for good; resolves when the server has confirmed that. */
  done(): Promise<void>;
  /** Puts it back, for the next free worker at once. */
  giveBack(): void;
  /** Stops saying that we live; the lease runs out by itself. */
  drop(): void;
}

/** The queue that a worker with this label takes runs from. Throws `fleet_not_ready` when it was not made. */
export async function openQueue(
  { js }: FleetConnection,
  queue: string,
  { signal }: { signal: AbortSignal },
): Promise<Consumer> {
  try {
    return await untilServed(() => js.consumers.get(runsStream, queueConsumer(queue)), { signal });
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw fleetError("fleet_not_ready", `Cannot take runs of "${queue}": the fleet has no such queue`, {
      cause,
    });
  }
}

/**
 * Waits for one run, at most for a while. Never asks for more than one: what waits in a worker that has no free place
 * could be done by another one.
 */
export async function takeRun(
  { nc }: FleetConnection,
  consumer: Consumer,
  { waitMs, leaseMs, signal }: { waitMs: number; leaseMs: number; signal: AbortSignal },
): Promise<LeasedRun | undefined> {
  const messages = await consumer.fetch({ max_messages: 1, expires: waitMs });
  const stop = (): void => messages.stop();
  signal.addEventListener("abort", stop);
  try {
    for await (const message of messages) {
      const request = parseRun(message.data);
      if (request) {
        const leased = lease(message, request, leaseMs);
        // The lease is on its way back before the connection is closed.
        if (!signal.aborted) return leased;
        leased.giveBack();
        await nc.flush();
        return undefined;
      }
      // Not of this version, or of nobody's: a newer worker cannot be told from nonsense, so it is kept out of the way.
      message.term("not a run");
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return undefined;
}

function lease(message: JsMsg, request: RunRequest, leaseMs: number): LeasedRun {
  let timer: NodeJS.Timeout | undefined;
  const beat = (): void => {
    message.working();
    // Not all workers in the same instant.
    timer = setTimeout(beat, (leaseMs / leaseBeatsPerLease) * (0.8 + Math.random() * 0.4));
  };
  beat();
  const drop = (): void => clearTimeout(timer);
  return {
    request,
    deliveries: message.info.deliveryCount,
    drop,
    async done() {
      await untilServed(() => message.ackAck({ timeout: fleetRequestMs }), { timeoutMs: leaseMs }).catch(
        () => {
          /* It is given to a worker again, who sees in the log that it is finished. */
        },
      );
      drop();
    },
    giveBack() {
      drop();
      message.nak();
    },
  };
}
