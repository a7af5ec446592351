import { randomUUID } from "node:crypto";
import { millis } from "@nats-io/transport-node";
import { runLeaseMs } from "../limits.ts";
import { codeOf } from "../../lib/errors.ts";
import type { FleetConnection } from "../transport/connection.ts";
import { handleRun, type RunAgent } from "./handle-run.ts";
import type { RunEnding } from "../transport/log-event.ts";
import { defaultQueue } from "../transport/names.ts";
import { Places } from "./places.ts";
import { openQueue, takeRun, type LeasedRun } from "./take-runs.ts";
import { announceWorker } from "../transport/worker-list.ts";

export interface WorkerOptions {
  runAgent: RunAgent;
  host: string;
  slots: number;
  labels?: readonly string[];
  id?: string;
  /** Ends the worker: it takes nothing more, gives its runs back, and returns. */
  signal: AbortSignal;
  onEvent?: (event: WorkerEvent) => void;
}

export type WorkerEvent =
  | { kind: "ready"; workerId: string }
  | { kind: "started"; sessionId: string; deliveries: number }
  | { kind: "ended"; sessionId: string; status: RunEnding["status"] }
  /** Passed over: another dispatch of the same run counts. */
  | { kind: "given-back" | "passed-over" | "fenced"; sessionId: string }
  | { kind: "failed"; sessionId: string; error: unknown };

/**
 * Takes runs and has them run until the signal, as many at once as it has slots. Throws `fleet_forbidden` without the key of a
 * worker, `fleet_not_ready` when there is no queue for a label.
 */
export async function runWorker(connection: FleetConnection, options: WorkerOptions): Promise<void> {
  const { slots, labels = [], signal, onEvent, host } = options;
  const id = options.id ?? `${host.replace(/[^A-Za-z0-9_-]/g, "-").slice(0, 40)}-${randomUUID().slice(0, 8)}`;
  const running = new Set<Promise<void>>();
  const places = new Places(slots);
  const queues = labels.length > 0 ? labels : [defaultQueue];
  // One who listens to several queues must not hold a free place for one of them for long.
  const waitMs = queues.length > 1 ? 2000 : 10_000;
  // Also ended by a worker that may not work, or has no queue.
  const over = new AbortController();
  const announced = announceWorker(connection, {
    id,
    host,
    slots,
    labels: queues,
    busy: () => running.size,
    signal: AbortSignal.any([signal, over.signal]),
  });
  try {
    await announced.told;
    onEvent?.({ kind: "ready", workerId: id });
    await Promise.all(queues.map((queue) => serve(queue)));
    await Promise.all(running);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    over.abort();
    await announced.gone;
  }

  async function serve(queue: string): Promise<void> {
    const consumer = await openQueue(connection, queue, { signal }).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    if (!consumer) return;
    const leaseMs = millis((await consumer.info(true)).config.ack_wait ?? runLeaseMs * 1e6);
    while (await places.take(signal)) {
      const leased = await nextRun(leaseMs);
      if (!leased) {
        places.free();
        continue;
      }
      const done = handle(leased, leaseMs).finally(() => {
        running.delete(done);
        places.free();
      });
      running.add(done);
    }

    async function nextRun(lease: number): Promise<LeasedRun | undefined> {
      try {
        return await takeRun(connection, consumer!, { waitMs, leaseMs: lease, signal });
      } catch {
        // The servers are away; the connection comes back by itself.
        if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        return undefined;
      }
    }
  }

  async function handle(leased: LeasedRun, leaseMs: number): Promise<void> {
    const { sessionId } = leased.request;
    onEvent?.({ kind: "started", sessionId, deliveries: leased.deliveries });
    try {
      const outcome = await handleRun(connection, leased, { ...options, id, leaseMs });
      onEvent?.(
        outcome === "given-back" || outcome === "passed-over"
          ? { kind: outcome, sessionId }
          : { kind: "ended", sessionId, status: outcome },
      );
    } catch (error) {
      // Neither finished nor given back: the lease runs out, and whoever takes it next sees in the log how far it came.
      leased.drop();
      if (codeOf(error) === "fleet_fenced") onEvent?.({ kind: "fenced", sessionId });
      else onEvent?.({ kind: "failed", sessionId, error });
    }
  }
}

const RETRY_MS = 500;
