import { liveEventsMax, logSilenceMs } from "../limits.ts";
import type { FleetConnection } from "./connection.ts";
import { placedMessage, readMessages, type StoredMessage } from "./log-reader.ts";
import { liveSubject } from "./names.ts";

export interface FollowOptions {
  stream: string;
  /** One subject, without wildcards: its messages form a chain in which a gap is seen. */
  subject: string;
  /** The last sequence that is known already; 0 for none. */
  after: number;
  signal: AbortSignal;
  /** Told each time that everything stored so far has been given. */
  onCaughtUp?: (() => void) | undefined;
}

/**
 * Every message of a subject, each once and in order, those to come as soon as they are stored, until the signal. What
 * is said live names its predecessor; where that was missed, the gap is read from the stream, also after a reconnect and
 * after a silence. (Ordered consumers were seen to stall for half a minute when a node dies: engine notes in the guide.)
 */
export async function* followMessages(
  connection: FleetConnection,
  { stream, subject, after, signal, onCaughtUp }: FollowOptions,
): AsyncGenerator<StoredMessage> {
  const inbox = new LiveInbox();
  const live = connection.nc.subscribe(liveSubject(subject), {
    callback: (error, message) => (error ? inbox.fail(error) : inbox.put(placedMessage(message))),
  });
  const forget = connection.onReconnect(() => inbox.lookAgain());
  const wake = (): void => inbox.lookAgain();
  signal.addEventListener("abort", wake);
  let last = after;
  try {
    inbox.lookAgain();
    while (!signal.aborted) {
      const message = await inbox.take(logSilenceMs);
      if (signal.aborted) return;
      if (message && message.sequence <= last) continue;
      if (message && message.previous <= last) {
        last = message.sequence;
        yield message;
        continue;
      }
      // Until what was heard is there: the copy that answers may be behind the one that spoke.
      const heard = message?.sequence ?? 0;
      do {
        for await (const stored of readMessages(connection, { stream, subject, from: last + 1, signal })) {
          last = stored.sequence;
          yield stored;
        }
      } while (last < heard && !signal.aborted);
      onCaughtUp?.();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", wake);
    forget();
    if (!live.isClosed()) live.unsubscribe();
  }
}

/** What was heard and not yet looked at. Bounded: when it is full, the rest is read from the stream. */
class LiveInbox {
  #messages: StoredMessage[] = [];
  #mustLook = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  put(message: StoredMessage): void {
    if (this.#messages.length < liveEventsMax) this.#messages.push(message);
    else this.#mustLook = true;
    this.#wake?.();
  }

  lookAgain(): void {
    this.#mustLook = true;
    this.#wake?.();
  }

  fail(error: Error): void {
    this.#failure = error;
    this.#wake?.();
  }

  /** The next message; undefined when it is time to look into the stream. */
  async take(silenceMs: number): Promise<StoredMessage | undefined> {
    if (this.#messages.length === 0 && !this.#mustLook && !this.#failure) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, silenceMs);
      });
      clearTimeout(timer);
      this.#wake = undefined;
    }
    if (this.#failure) throw this.#failure;
    if (this.#messages.length > 0) return this.#messages.shift();
    this.#mustLook = false;
    return undefined;
  }
}
