import { heartbeatMs, sentAtOnceLength } from "../limits.ts";
import type { ServerEvents } from "../api/index.ts";

/** One event, before it is sent. */
export type StreamEvent = {
  [Name in keyof ServerEvents]: {
    name: Name;
    data: ServerEvents[Name];
    /** Where a later stream goes on after it. */
    id?: string | undefined;
  };
}[keyof ServerEvents];

/** What is to be sent under a key: known already, or read when its turn comes. Undefined when there is nothing by then. */
export type PendingEvent = StreamEvent | (() => Promise<StreamEvent | undefined>);

/**
 * The events of one reader, at most one of each key: what comes before the reader has taken the last one takes its place. So a
 * slow reader gets the newest state of everything, and holds no more memory than there are things to tell of.
 */
export class EventStream {
  readonly #pending = new Map<string, PendingEvent>();
  /** Nothing is sent before it. */
  #first: StreamEvent | undefined;
  #hasBegun = false;
  #wake = (): void => {};

  /** Begins the stream with this event, whatever waits. */
  first(event: StreamEvent): void {
    this.#first = event;
    this.#wake();
  }

  isPending(key: string): boolean {
    return this.#pending.has(key);
  }

  /** The event that waits under a key, for who puts the next one together with it. */
  waiting<Name extends StreamEvent["name"]>(
    key: string,
    name: Name,
  ): Extract<StreamEvent, { name: Name }> | undefined {
    const pending = this.#pending.get(key);
    if (typeof pending !== "object" || pending.name !== name) return undefined;
    return pending as Extract<StreamEvent, { name: Name }>;
  }

  /** In the place of the one before, or, when `isLast`, behind all others: ids of events must grow. */
  push(key: string, event: PendingEvent, { isLast = false }: { isLast?: boolean } = {}): void {
    if (isLast) this.#pending.delete(key);
    this.#pending.set(key, event);
    this.#wake();
  }

  /** The text of the stream, made no faster than it is taken. A comment comes when there is nothing to tell. */
  async *text(signal: AbortSignal): AsyncGenerator<string> {
    const abort = (): void => this.#wake();
    signal.addEventListener("abort", abort);
    try {
      while (!signal.aborted) {
        const text = await this.#take();
        if (text !== "") yield text;
        else if (!(await this.#somethingComes(signal))) yield ":\n\n";
      }
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  async #take(): Promise<string> {
    if (!this.#first && !this.#hasBegun) return "";
    let text = this.#first ? textOf(this.#first) : "";
    this.#first = undefined;
    this.#hasBegun = true;
    for (const [key, pending] of this.#pending) {
      this.#pending.delete(key);
      // What cannot be read any more is nothing to tell.
      const event = typeof pending === "function" ? await pending().catch(() => undefined) : pending;
      if (event) text += textOf(event);
      if (text.length >= sentAtOnceLength) break;
    }
    return text;
  }

  // False when a heartbeat is due first.
  async #somethingComes(signal: AbortSignal): Promise<boolean> {
    const isReady = this.#first !== undefined || (this.#hasBegun && this.#pending.size > 0);
    if (isReady || signal.aborted) return true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), heartbeatMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}

// JSON has no line ends, and an id is a cursor, which has none either.
function textOf({ name, data, id }: StreamEvent): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
