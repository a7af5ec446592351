import { fruitlessClaimsMax } from "../limits.ts";
import type { FleetConnection } from "../transport/connection.ts";
import { codeOf } from "../../lib/errors.ts";
import { isAnother, queuedState } from "../transport/dispatch-run.ts";
import { encodeEvent, parseEvent, type LoggedEvent, type LogEvent } from "../transport/log-event.ts";
import { readLast, readMessages } from "../transport/log-reader.ts";
import { epochOf, fencedError, LogWriter } from "../transport/log-writer.ts";
import { logStream, logSubject, type LogPlace } from "../transport/names.ts";
import type { RunRequest } from "../transport/run-request.ts";
import {
  changeSessionState,
  findSessionState,
  placeNewLog,
  type SessionState,
} from "../transport/session-states.ts";

export interface Claim {
  writer: LogWriter;
  /** Everything that the log held before this claim. */
  events: LoggedEvent[];
  state: SessionState;
}

/** What came of trying to take a run. */
export type ClaimOutcome =
  | { kind: "claimed"; claim: Claim }
  /** The log says that it was finished: only its state and its lease are left to clear. */
  | { kind: "finished"; finished: Finished }
  /** Another dispatch of the same run counts. */
  | { kind: "passed-over" }
  /** It ended its workers too often without getting anywhere. */
  | { kind: "hopeless"; claim: Claim };

type Finished = LogEvent & { kind: "finished" };

/**
 * Takes a run: a new epoch in the state by compare-and-set, then `claimed` in the log, which closes it to whoever wrote
 * it before, then everything that it holds.
 */
export async function claimRun(
  connection: FleetConnection,
  request: RunRequest,
  { worker, host, signal }: { worker: string; host: string; signal: AbortSignal },
): Promise<ClaimOutcome> {
  const finished = await findFinished(connection, request, { signal });
  if (finished) return { kind: "finished", finished };
  const state = await takeEpoch(connection, request, { worker, signal });
  if (!state) return { kind: "passed-over" };
  const place = { shard: state.shard, sessionId: request.sessionId };
  const claimed: LogEvent = {
    kind: "claimed",
    epoch: state.epoch,
    run: request.run,
    worker,
    host,
    at: new Date().toISOString(),
  };
  const writer = await closeLog(connection, { place, claimed, signal });
  const events = await readLog(connection, place, { before: writer.last, signal });
  const claim: Claim = { writer, events, state };
  const ended = events.map(({ event }) => event).find((event) => isFinished(event, request.run));
  if (ended) return { kind: "finished", finished: ended };
  return { kind: claimsSinceEntry(events) >= fruitlessClaimsMax ? "hopeless" : "claimed", claim };
}

// Before anything is changed: the worker that finished it may have died with the lease in its hands.
async function findFinished(
  connection: FleetConnection,
  { sessionId, run }: RunRequest,
  { signal }: { signal: AbortSignal },
): Promise<Finished | undefined> {
  const known = await findSessionState(connection, sessionId);
  if (!known) return undefined;
  const { shard } = known.state;
  const subject = logSubject({ shard, sessionId });
  const newest = await readLast(connection, { stream: logStream(shard), subject, signal });
  const event = newest && parseEvent(newest.data);
  return isFinished(event, run) ? event : undefined;
}

// Undefined when the run is not to be done: the state is of another dispatch.
async function takeEpoch(
  connection: FleetConnection,
  request: RunRequest,
  { worker, signal }: { worker: string; signal: AbortSignal },
): Promise<SessionState | undefined> {
  const shard = await placeNewLog(connection, request.sessionId);
  const state = await changeSessionState(
    connection,
    request.sessionId,
    (known) => {
      if (known && isAnother(request, known)) return undefined;
      const queued = known && known.run >= request.run ? known : queuedState(request, shard, known);
      const { needsInput: _, reason: __, ...rest } = queued;
      return {
        ...rest,
        status: "running",
        epoch: queued.epoch + 1,
        handOvers: queued.handOvers + (queued.status === "running" ? 1 : 0),
        worker,
        updatedAt: new Date().toISOString(),
      };
    },
    { signal },
  );
  return state && isAnother(request, state) ? undefined : state;
}

// The old worker may write between our look and our claim; then we look again. What a newer claim wrote ends ours: we
// were away for so long that the run was given to another worker.
async function closeLog(
  connection: FleetConnection,
  {
    place,
    claimed,
    signal,
  }: { place: LogPlace; claimed: LogEvent & { kind: "claimed" }; signal: AbortSignal },
): Promise<LogWriter> {
  const log = { stream: logStream(place.shard), subject: logSubject(place), signal };
  for (;;) {
    const newest = await readLast(connection, log);
    if (epochOf(newest?.id) >= claimed.epoch) throw fencedError(place.sessionId);
    const last = newest?.sequence ?? 0;
    const writer = new LogWriter(connection, { place, epoch: claimed.epoch, last, signal });
    try {
      await writer.append(encodeEvent(claimed));
      return writer;
    } catch (error) {
      if (codeOf(error) !== "fleet_fenced") throw error;
    }
  }
}

/** The events of a log, up to a place. */
export async function readLog(
  connection: FleetConnection,
  place: LogPlace,
  { before = Infinity, signal }: { before?: number; signal?: AbortSignal | undefined } = {},
): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  const everything = { stream: logStream(place.shard), subject: logSubject(place), from: 1, signal };
  // A copy that is behind ends early; what we wrote ourselves tells how far it must come.
  for (let next = 1; ;) {
    for await (const { sequence, at, data } of readMessages(connection, { ...everything, from: next })) {
      if (sequence >= before) return events;
      next = sequence + 1;
      const event = parseEvent(data);
      if (event) events.push({ sequence, at, event });
    }
    if (before === Infinity) return events;
  }
}

function isFinished(event: LogEvent | undefined, run: number): event is Finished {
  return event?.kind === "finished" && event.run >= run;
}

function claimsSinceEntry(events: readonly LoggedEvent[]): number {
  const lastEntry = events.findLastIndex(({ event }) => fruitful.has(event.kind));
  return events.slice(lastEntry + 1).filter(({ event }) => event.kind === "claimed").length;
}

// A worker that was drained has not failed.
const fruitful: ReadonlySet<LogEvent["kind"]> = new Set(["entry", "large-entry", "released", "finished"]);
