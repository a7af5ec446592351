import { parseJson } from "../../lib/read-json.ts";
import type { FleetConnection } from "./connection.ts";
import { fleetError } from "../errors.ts";
import { readMessages } from "./log-reader.ts";
import { hasShape, type Shape } from "./has-shape.ts";
import { isSubjectToken, logStream, sessionsBucket, sessionSubject, shardOf } from "./names.ts";
import { isMissing, isWrongSequence, untilServed } from "./retry.ts";

/** The state of a session, as seen from outside. A projection: if the log differs, the log is right. */
export interface SessionState {
  schemaVersion: 1;
  sessionId: string;
  shard: number;
  run: number;
  /** Which dispatch of this run counts. */
  dispatch?: string;
  queue: string;
  status: "queued" | "running" | "completed" | "failed" | "stopped";
  /** Counts the claims; the newest one's worker writes the log. */
  epoch: number;
  worker?: string;
  /** How often a worker took over from another one. */
  handOvers: number;
  description: string;
  origin: { host: string; user: string; cwd: string };
  dispatchedAt: string;
  updatedAt: string;
  /** It waits for an answer to this. */
  needsInput?: string;
  /** Why it failed. */
  reason?: string;
}

export interface KeptState {
  state: SessionState;
  revision: number;
}

const STREAM = `KV_${sessionsBucket}`;

/** The state of one session; undefined when the fleet does not know it. */
export async function findSessionState(
  connection: FleetConnection,
  sessionId: string,
): Promise<KeptState | undefined> {
  const { jsm } = connection;
  const found = await untilServed(
    () => jsm.direct.getMessage(STREAM, { last_by_subj: sessionSubject(sessionId) }),
    { timeoutMs: LOOK_MS },
  );
  return found ? kept(found.seq, found.data) : undefined;
}

/** Every session that the fleet knows, in the order of the last change. */
export async function* listSessionStates(connection: FleetConnection): AsyncGenerator<SessionState> {
  const everything = { stream: STREAM, subject: sessionSubject("*"), from: 1 };
  for await (const { sequence, data } of readMessages(connection, everything)) {
    const found = kept(sequence, data);
    if (found) yield found.state;
  }
}

/**
 * Changes a state by compare-and-set: `change` is asked again with what somebody else has written meanwhile, and leaves it
 * as it is by returning undefined.
 */
export async function changeSessionState(
  connection: FleetConnection,
  sessionId: string,
  change: (state: SessionState | undefined) => SessionState | undefined,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<SessionState | undefined> {
  let known = await findSessionState(connection, sessionId);
  for (;;) {
    const wanted = change(known?.state);
    if (!wanted) return known?.state;
    const revision = known?.revision ?? 0;
    const isWritten = await untilServed(() => write(connection, wanted, revision), { signal });
    if (isWritten) return wanted;
    // The copy that is asked may not have it yet; then it says the same revision again, and so does the refusal.
    known = await findSessionState(connection, sessionId);
  }
}

async function write({ js }: FleetConnection, state: SessionState, revision: number): Promise<boolean> {
  try {
    await js.publish(sessionSubject(state.sessionId), JSON.stringify(state), {
      expect: { lastSubjectSequence: revision },
      retries: 0,
    });
    return true;
  } catch (error) {
    if (isWrongSequence(error)) return false;
    throw error;
  }
}

const LOOK_MS = 30_000;

function kept(revision: number, data: Uint8Array): KeptState | undefined {
  const state = parseJson(data);
  return hasShape(state, sessionShape) ? { state: state as SessionState, revision } : undefined;
}

// The id becomes part of subjects, and of names of files where the session is followed.
const sessionShape: Shape = {
  schemaVersion: (version) => version === 1,
  sessionId: isSubjectToken,
  shard: "number",
  run: "number",
  dispatch: "text, if any",
  queue: "text",
  status: "text",
  epoch: "number",
  worker: "text, if any",
  handOvers: "number",
  description: "text",
  origin: (origin) => hasShape(origin, { host: "text", user: "text", cwd: "text" }),
  dispatchedAt: "text",
  updatedAt: "text",
  needsInput: "text, if any",
  reason: "text, if any",
};

/** Where the log of a new session goes; an old one's is in its state. Throws `fleet_not_ready` without streams. */
export async function placeNewLog(connection: FleetConnection, sessionId: string): Promise<number> {
  const { jsm } = connection;
  try {
    const { config } = await untilServed(() => jsm.streams.info(logStream(0)), { timeoutMs: LOOK_MS });
    return shardOf(sessionId, { shards: Number(config.metadata?.["shards"] ?? 1) });
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw fleetError("fleet_not_ready", "Cannot use the fleet: its streams are missing", { cause });
  }
}
