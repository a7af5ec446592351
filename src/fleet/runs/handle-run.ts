import { logEventsMax, logEventsReserved, unconfirmedMsMax } from "../limits.ts";
import { codeOf, messageOf } from "../../lib/errors.ts";
import { claimRun, type Claim } from "./claim-run.ts";
import type { FleetConnection } from "../transport/connection.ts";
import { followControls, type FollowedControls, type SentControl } from "../transport/controls.ts";
import { fleetError } from "../errors.ts";
import { encodeFitting } from "../transport/large-entries.ts";
import { encodeEvent, type LoggedEvent, type LogEvent, type RunEnding } from "../transport/log-event.ts";
import type { RunRequest } from "../transport/run-request.ts";
import { changeSessionState, type SessionState } from "../transport/session-states.ts";
import type { LeasedRun } from "./take-runs.ts";

/**
 * How a worker runs an agent: given to it, because the fleet runs none itself. Undefined when the signal came before the
 * end: then another worker goes on from the log.
 */
export type RunAgent = (run: ClaimedRun) => Promise<RunEnding | undefined>;

/** A run that is ours, as the one who drives the agent sees it. */
export interface ClaimedRun {
  request: RunRequest;
  /** What the log held when it was claimed: what an earlier worker did is not done again. */
  events: readonly LoggedEvent[];
  /** Counts the workers that had this run. */
  epoch: number;
  /** Resolves once the event is on the servers' disks. Throws `fleet_fenced` when the run is another worker's by now. */
  append(event: LogEvent): Promise<number>;
  /** Before anything that cannot be taken back: whether the run is still ours, asked only if that is not certain. */
  confirm(): Promise<void>;
  /** What is told to the run, or to the session without a run, from the first that no worker has obeyed. */
  controls(options: ControlOptions): AsyncGenerator<SentControl>;
  /** Shows outside that it waits for an answer, or no longer does. */
  showNeed(title: string | undefined): Promise<void>;
  /** Aborted when the run is to be given back (a drained worker), or is no longer ours. */
  signal: AbortSignal;
}

export interface ControlOptions extends Pick<FollowedControls, "signal" | "onCaughtUp"> {
  namesRun: boolean;
}

/** What a worker is to the runs that it handles. */
export interface RunContext {
  runAgent: RunAgent;
  id: string;
  host: string;
  leaseMs: number;
  /** The worker is to end. */
  signal: AbortSignal;
}

/**
 * Claims a run, has it run, and says how it ended: in the log first, then in the state, and only then to the queue.
 * Throws `fleet_fenced` when another worker has taken it; the lease is then left to that one.
 */
export async function handleRun(
  connection: FleetConnection,
  leased: LeasedRun,
  context: RunContext,
): Promise<RunEnding["status"] | "given-back" | "passed-over"> {
  const { request } = leased;
  const own = new AbortController();
  const signal = AbortSignal.any([context.signal, own.signal]);
  const outcome = await claimRun(connection, request, {
    worker: context.id,
    host: context.host,
    signal: own.signal,
  });
  if (outcome.kind === "finished") {
    // The worker that finished it died before it could say so everywhere.
    const { ending, at } = outcome.finished;
    await changeSessionState(
      connection,
      request.sessionId,
      (known) => known && endedState(known, ending, at),
    );
    await leased.done();
    return ending.status;
  }
  if (outcome.kind === "passed-over") {
    await leased.done();
    return outcome.kind;
  }
  const { claim } = outcome;
  let controlled: number | undefined;
  try {
    const ending =
      outcome.kind === "hopeless"
        ? hopeless(claim)
        : await runUntilEnd(connection, {
            claim,
            request,
            context,
            signal,
            onFenced: () => own.abort(),
            onControl: (sequence) => (controlled = sequence),
          });
    if (ending === "given-back") {
      await release(connection, claim, context.id);
      leased.giveBack();
      await connection.nc.flush();
      return ending;
    }
    await finish(connection, { claim, request, ending, controlled });
    await leased.done();
    return ending.status;
  } finally {
    own.abort();
  }
}

async function runUntilEnd(
  connection: FleetConnection,
  {
    claim,
    request,
    context,
    signal,
    onFenced,
    onControl,
  }: {
    claim: Claim;
    request: RunRequest;
    context: RunContext;
    signal: AbortSignal;
    onFenced: () => void;
    /** Told of each control that names no run. */
    onControl: (sequence: number) => void;
  },
): Promise<RunEnding | "given-back"> {
  const { writer, events } = claim;
  let count = events.length;
  let fenced: unknown;
  const guarded = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (codeOf(error) === "fleet_fenced") {
        fenced = error;
        onFenced();
      }
      throw error;
    }
  };
  const run: ClaimedRun = {
    request,
    events,
    epoch: claim.state.epoch,
    append(event) {
      if (++count <= logEventsMax - logEventsReserved)
        return guarded(encodeFitting(connection, event).then((data) => writer.append(data)));
      const message = `Cannot append to the log of session "${request.sessionId}": it is full`;
      return Promise.reject(fleetError("fleet_conflict", message));
    },
    async confirm() {
      // Well before the lease can have run out.
      if (writer.unconfirmedMs > Math.min(unconfirmedMsMax, (context.leaseMs * 2) / 3))
        await guarded(writer.confirm());
    },
    async *controls({ namesRun, ...following }) {
      const { sessionId } = request;
      const of = namesRun ? request.run : undefined;
      const after = obeyed(events, of);
      for await (const sent of followControls(connection, { sessionId, run: of, after, ...following })) {
        if (!namesRun) onControl(sent.sequence);
        yield sent;
      }
    },
    showNeed: (title) =>
      changeOwn(connection, claim, (known) => ({
        ...known,
        ...(title !== undefined && { needsInput: title }),
        updatedAt: new Date().toISOString(),
      })),
    signal,
  };
  let ending: RunEnding | undefined;
  try {
    ending = await context.runAgent(run);
  } catch (error) {
    if (!context.signal.aborted) ending = { status: "failed", reason: messageOf(error) };
  }
  // Whatever the agent made of it: what it did last is not in the log.
  if (fenced !== undefined) throw fenced;
  return ending ?? "given-back";
}

// The log first, the state second, the lease last: whoever comes in between sees a finished log.
async function finish(
  connection: FleetConnection,
  {
    claim,
    request: { run },
    ending,
    controlled,
  }: { claim: Claim; request: RunRequest; ending: RunEnding; controlled: number | undefined },
): Promise<void> {
  const at = new Date().toISOString();
  const heard = controlled === undefined ? {} : { controlled };
  await claim.writer.append(encodeEvent({ kind: "finished", run, ending, at, ...heard }));
  await changeOwn(connection, claim, (known) => endedState(known, ending, at));
}

// The state of a session, unless another worker has it by now. It waits for no answer then.
async function changeOwn(
  connection: FleetConnection,
  { state }: Claim,
  change: (known: SessionState) => SessionState,
): Promise<void> {
  await changeSessionState(connection, state.sessionId, (known) => {
    if (known?.epoch !== state.epoch) return undefined;
    const { needsInput: _, ...rest } = known;
    return change(rest);
  });
}

function endedState(known: SessionState, ending: RunEnding, at: string): SessionState {
  const { needsInput: _, ...rest } = known;
  return {
    ...rest,
    status: ending.status,
    updatedAt: at,
    ...(ending.status === "failed" && { reason: ending.reason.slice(0, 500) }),
  };
}

async function release(connection: FleetConnection, claim: Claim, worker: string): Promise<void> {
  const at = new Date().toISOString();
  await claim.writer.append(encodeEvent({ kind: "released", epoch: claim.state.epoch, worker, at }));
  await changeOwn(connection, claim, (known) => {
    const { worker: _, ...rest } = known;
    return { ...rest, status: "queued", updatedAt: at };
  });
}

function hopeless({ events }: Claim): RunEnding {
  const claims = events.filter(({ event }) => event.kind === "claimed").length;
  return { status: "failed", reason: `it ended ${claims} workers in a row before it had done anything` };
}

// The last control that needs no more: of a run, or of those that name none.
function obeyed(events: readonly LoggedEvent[], run: number | undefined): number {
  const sequences = events.map(({ event }) => {
    if (event.kind === "controlled" && event.run === run) return event.sequence;
    return event.kind === "finished" && run === undefined ? (event.controlled ?? 0) : 0;
  });
  return sequences.reduce((last, sequence) => Math.max(last, sequence), 0);
}
