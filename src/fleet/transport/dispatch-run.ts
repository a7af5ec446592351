import { JetStreamApiError } from "@nats-io/jetstream";
import type { FleetConnection } from "./connection.ts";
import { fleetError } from "../errors.ts";
import { runSubject } from "./names.ts";
import { untilServed } from "./retry.ts";
import { encodeRun, type RunRequest } from "./run-request.ts";
import { changeSessionState, placeNewLog, type SessionState } from "./session-states.ts";

export interface DispatchedRun {
  sessionId: string;
  shard: number;
}

/**
 * Puts a run into its queue. When this returns it is on the servers' disks and some worker will take it; sent again
 * after a lost answer, it is in the queue once.
 */
export async function dispatchRun(connection: FleetConnection, request: RunRequest): Promise<DispatchedRun> {
  const { sessionId, queue, run } = request;
  const shard = await placeNewLog(connection, sessionId);
  await untilServed(publish, { timeoutMs: DISPATCH_MS });
  // After the run: a state without a run would wait forever, a run without a state is given one by its worker.
  const state = await changeSessionState(connection, sessionId, (known) =>
    known && known.run >= run ? undefined : queuedState(request, shard, known),
  );
  return { sessionId, shard: state?.shard ?? shard };

  async function publish(): Promise<void> {
    try {
      await connection.js.publish(runSubject({ queue, sessionId }), encodeRun(request), {
        msgID: `${sessionId}:${run}`,
        retries: 0,
      });
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === TOO_MANY)
        throw fleetError("fleet_conflict", "Cannot dispatch the run: the queue is full; try again later", {
          cause: error,
          retryable: true,
        });
      throw error;
    }
  }
}

/** A session as it stands when its run waits for a worker. */
export function queuedState(
  request: RunRequest,
  shard: number,
  known: SessionState | undefined,
): SessionState {
  const { sessionId, run, queue, description, origin, dispatchedAt } = request;
  return {
    schemaVersion: 1,
    sessionId,
    shard: known?.shard ?? shard,
    run,
    queue,
    status: "queued",
    epoch: known?.epoch ?? 0,
    handOvers: known?.handOvers ?? 0,
    description,
    origin,
    dispatchedAt,
    updatedAt: dispatchedAt,
  };
}

const DISPATCH_MS = 30_000;
const TOO_MANY = 10077;
