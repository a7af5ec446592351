import type { Msg, MsgHdrs } from "@nats-io/transport-node";
import { fleetRequestMs, logBatchMax } from "../limits.ts";
import type { FleetConnection } from "./connection.ts";
import { untilServed } from "./retry.ts";

/** A message of a stream, whoever it was asked of. */
export interface StoredMessage {
  sequence: number;
  /** The one before it on the same subject, as far as the server told; 0 when it is the first. */
  previous: number;
  at: string;
  id?: string | undefined;
  subject: string;
  data: Uint8Array;
}

export interface ReadOptions {
  stream: string;
  /** May hold wildcards. */
  subject: string;
  /** The first sequence that is wanted. */
  from: number;
  signal?: AbortSignal | undefined;
}

/**
 * Every stored message of a subject from a place on, in order, read in batches from whichever copy answers. A copy may be
 * a little behind, so this ends at the end as that copy knows it: who needs the newest follows, or asks the leader.
 */
export async function* readMessages(
  connection: FleetConnection,
  { stream, subject, from, signal }: ReadOptions,
  { batch: size = logBatchMax }: { batch?: number } = {},
): AsyncGenerator<StoredMessage> {
  let next = from;
  for (;;) {
    const question = { seq: next, next_by_subj: subject, batch: size };
    const batch = await untilServed(() => readBatch(connection, stream, question), { signal });
    yield* batch.messages;
    const last = batch.messages.at(-1);
    if (batch.isWhole && (last === undefined || batch.pending === 0)) return;
    if (last) next = last.sequence + 1;
  }
}

interface Batch {
  messages: StoredMessage[];
  /** The server said that this was all of the batch; else some of it was lost on the way, and is asked for again. */
  isWhole: boolean;
  pending: number;
}

async function readBatch(
  { nc }: FleetConnection,
  stream: string,
  question: { seq: number; next_by_subj: string; batch: number },
): Promise<Batch> {
  const answers = await nc.requestMany(`$JS.API.DIRECT.GET.${stream}`, JSON.stringify(question), {
    strategy: "sentinel",
    maxWait: fleetRequestMs,
  });
  const batch: Batch = { messages: [], isWhole: false, pending: 0 };
  for await (const message of answers) {
    const status = message.headers?.code ?? 0;
    if (status === 0) {
      batch.messages.push(placedMessage(message));
      continue;
    }
    // 204 ends a batch, 404 says that there is nothing.
    if (status !== 204 && status !== 404)
      throw new Error(`Cannot read stream "${stream}": ${message.headers?.description ?? status}`);
    batch.isWhole = true;
    batch.pending = numberIn(message.headers, "Nats-Num-Pending");
  }
  return batch;
}

/** A message of a batch, or as the server says it at once to who listens: the same headers name its place. */
export function placedMessage({ headers, data }: Msg): StoredMessage {
  return {
    sequence: numberIn(headers, "Nats-Sequence"),
    previous: numberIn(headers, "Nats-Last-Sequence"),
    at: headers?.last("Nats-Time-Stamp") ?? "",
    id: headers?.last("Nats-Msg-Id") || undefined,
    subject: headers?.last("Nats-Subject") ?? "",
    data,
  };
}

function numberIn(headers: MsgHdrs | undefined, name: string): number {
  return Number(headers?.last(name) || 0);
}

/** The newest message of a subject as the leader knows it, which is never behind. */
export async function readLast(
  { jsm }: FleetConnection,
  { stream, subject, signal }: { stream: string; subject: string; signal?: AbortSignal | undefined },
): Promise<StoredMessage | undefined> {
  const found = await untilServed(() => jsm.streams.getMessage(stream, { last_by_subj: subject }), {
    signal,
  });
  if (!found) return undefined;
  return {
    sequence: found.seq,
    previous: 0,
    at: found.time.toISOString(),
    id: found.header.last("Nats-Msg-Id") || undefined,
    subject: found.subject,
    data: found.data,
  };
}
