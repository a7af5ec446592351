import { JetStreamApiError } from "@nats-io/jetstream";
import type { FleetConnection } from "./connection.ts";
import { fleetError } from "../errors.ts";
import { runSubject } from "./names.ts";
import { untilServed } from "./retry.ts";
import { encodeRun, type RunRequest } from "./run-request.ts";
import { changeSessionState, findSessionState, placeNewLog, type SessionState } from "./session-states.ts";

export interface DispatchedRun {
  sessionId: string;
  shard: number;
}

/**
 * Puts a run into its queue. When this returns it is on the servers' disks and some worker will take it; sent again
 * after a lost answer, it is in the queue once. Of two that dispatch the same session at once, one is refused, and its run is
 * passed over by the worker that takes it. Throws `fleet_conflict`.
 */
export async function dispatchRun(connection: FleetConnection, request: RunRequest): Promise<DispatchedRun> {
  const { sessionId, queue, run } = request;
  const shard = await placeNewLog(connection, sessionId);
  refuseWhileRunning(request, (await findSessionState(connection, sessionId))?.state);
  await untilServed(publish, { timeoutMs: DISPATCH_MS });
  // After the run: a state without a run would wait forever, a run without a state is given one by its worker.
  const state = await changeSessionState(connection, sessionId, (known) =>
    known && known.run >= run ? undefined : queuedState(request, shard, known),
  );
  if (state && isAnother(request, state))
    throw refused(sessionId, "another one was dispatched at the same moment");
  return { sessionId, shard: state?.shard ?? shard };

  async function publish(): Promise<void> {
    try {
      await connection.js.publish(runSubject({ queue, sessionId }), encodeRun(request), {
        msgID: [sessionId, run, request.dispatch ?? ""].join(":"),
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

/** Whether the state is of another dispatch than this one, which then counts for nothing. */
export function isAnother({ run, dispatch }: RunRequest, state: SessionState): boolean {
  return state.run > run || (state.run === run && state.dispatch !== dispatch);
}

/** One run of a session at a time. Throws `fleet_conflict`. */
export function refuseWhileRunning(
  request: Pick<RunRequest, "sessionId" | "run" | "dispatch">,
  known: SessionState | undefined,
): void {
  if (known?.status !== "queued" && known?.status !== "running") return;
  if (known.run === request.run && known.dispatch === request.dispatch) return;
  throw refused(request.sessionId, `it is ${known.status} there already`);
}

function refused(sessionId: string, why: string): Error {
  return fleetError(
    "fleet_conflict",
    `Cannot send session "${sessionId}" to the fleet: ${why}; wait until that run has ended, or bring it home`,
    { fields: { sessionId } },
  );
}

/** A session as it stands when its run waits for a worker. */
export function queuedState(
  request: RunRequest,
  shard: number,
  known: SessionState | undefined,
): SessionState {
  const { sessionId, run, dispatch, queue, description, origin, dispatchedAt } = request;
  return {
    schemaVersion: 1,
    sessionId,
    shard: known?.shard ?? shard,
    run,
    ...(dispatch !== undefined && { dispatch }),
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
