/**
 * The names of everything on the server: streams, buckets, subjects. One place, because the permissions of the roles are
 * made of the same words.
 */
export const runsStream = "RUNS";
export const controlStream = "CTL";
export const sessionsBucket = "ses";
export const workersBucket = "wrk";
export const bundlesBucket = "bundles";

/** Runs that ask for no particular worker. */
export const defaultQueue = "default";

export function logStream(shard: number): string {
  return `EV${shard}`;
}

export function logSubject({ shard, sessionId }: LogPlace): string {
  return `ev.${shard}.${sessionId}`;
}

/** What is told to a run. Without a run: what versions before 0.2 tell to whichever run of the session goes on. */
export function controlSubject({ sessionId, run }: { sessionId: string; run?: number | undefined }): string {
  return run === undefined ? `ctl.${sessionId}` : `ctl.${sessionId}.${run}`;
}

export function runSubject({ queue, sessionId }: { queue: string; sessionId: string }): string {
  return `run.${queue}.${sessionId}`;
}

export function sessionSubject(sessionId: string): string {
  return `$KV.${sessionsBucket}.${sessionId}`;
}

export function workerSubject(workerId: string): string {
  return `$KV.${workersBucket}.${workerId}`;
}

/** Where the server says at once what it has stored under a subject. */
export function liveSubject(subject: string): string {
  return `live.${subject}`;
}

export function queueConsumer(queue: string): string {
  return `workers-${queue}`;
}

/** Which log is a session's: sessions are spread over a few streams. */
export interface LogPlace {
  shard: number;
  sessionId: string;
}

/** Spreads sessions evenly, the same way on every machine. */
export function shardOf(sessionId: string, { shards }: { shards: number }): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(sessionId)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % shards;
}

/** Ids and queue names become parts of subjects: nothing in them may be a separator or a wildcard. */
export function isSubjectToken(name: unknown): name is string {
  return typeof name === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(name);
}
