import type { FleetConnection } from "./connection.ts";
import { fleetError } from "../errors.ts";
import { readLast } from "./log-reader.ts";
import { logStream, logSubject, type LogPlace } from "./names.ts";
import { isWrongSequence, untilServed } from "./retry.ts";

export interface LogWriterOptions {
  place: LogPlace;
  /** Of the claim under which this writes. */
  epoch: number;
  /** The sequence that the next event follows; 0 for an empty log. */
  last: number;
  signal?: AbortSignal | undefined;
}

/**
 * Appends to one session's log, as the only one who may.
 *
 * I1  Each append names the sequence that it follows. When somebody else has written since, it is refused, and this
 *     writer never writes again (`fleet_fenced`).
 * I2  An append whose answer was lost is asked about, not repeated blindly: it is in the log once.
 * I3  One append at a time: they land in the order of the calls.
 */
export class LogWriter {
  readonly place: LogPlace;
  readonly epoch: number;
  readonly #connection: FleetConnection;
  readonly #signal: AbortSignal | undefined;
  #last: number;
  #count = 0;
  #tail: Promise<unknown> = Promise.resolve();
  #fenced: Error | undefined;
  #confirmedAt = performance.now();

  constructor(connection: FleetConnection, { place, epoch, last, signal }: LogWriterOptions) {
    this.#connection = connection;
    this.place = place;
    this.epoch = epoch;
    this.#last = last;
    this.#signal = signal;
  }

  /** The sequence of the newest event. */
  get last(): number {
    return this.#last;
  }

  /** Since when nothing has told that the log is still ours, in milliseconds. */
  get unconfirmedMs(): number {
    return performance.now() - this.#confirmedAt;
  }

  /** Resolves to its sequence once it is on the disks that the server keeps. Throws `fleet_fenced`. */
  append(data: Uint8Array): Promise<number> {
    return this.#inTurn(() => this.#append(data));
  }

  /** Asks the leader whether the log is still ours. Throws `fleet_fenced` when it is not. */
  confirm(): Promise<void> {
    return this.#inTurn(() => this.#confirm());
  }

  #inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const done = this.#tail.then(act);
    this.#tail = done.catch(() => {});
    return done;
  }

  async #confirm(): Promise<void> {
    if (this.#fenced) throw this.#fenced;
    const asked = performance.now();
    const newest = await this.#newest();
    if ((newest?.sequence ?? 0) !== this.#last) throw this.#fence();
    this.#confirmedAt = asked;
  }

  async #append(data: Uint8Array): Promise<number> {
    if (this.#fenced) throw this.#fenced;
    const id = `${this.place.sessionId}:${this.epoch}:${++this.#count}`;
    for (;;) {
      const landed = await untilServed(() => this.#publish(id, data), { signal: this.#signal });
      if (landed === undefined) continue;
      this.#last = landed;
      this.#confirmedAt = performance.now();
      return landed;
    }
  }

  // Undefined when it is certain that it did not land and may be sent again.
  async #publish(id: string, data: Uint8Array): Promise<number | undefined> {
    try {
      // A repeated one is answered "duplicate" with the sequence of the first, or refused; both are landed.
      const { seq } = await this.#connection.js.publish(logSubject(this.place), data, {
        msgID: id,
        expect: { lastSubjectSequence: this.#last },
        retries: 0,
      });
      return seq;
    } catch (error) {
      if (!isWrongSequence(error)) throw error;
      const newest = await this.#newest();
      if (newest?.id === id) return newest.sequence;
      if ((newest?.sequence ?? 0) === this.#last) return undefined;
      throw this.#fence();
    }
  }

  #newest(): ReturnType<typeof readLast> {
    return readLast(this.#connection, {
      stream: logStream(this.place.shard),
      subject: logSubject(this.place),
      signal: this.#signal,
    });
  }

  #fence(): Error {
    this.#fenced = fencedError(this.place.sessionId);
    return this.#fenced;
  }
}

export function fencedError(sessionId: string): Error {
  const message = `Cannot append to the log of session "${sessionId}": another worker has taken it`;
  return fleetError("fleet_fenced", message);
}

/** Under which claim a message was written; 0 for one that is none of a worker's. */
export function epochOf(id: string | undefined): number {
  return Number(id?.split(":").at(-2) ?? 0) || 0;
}
