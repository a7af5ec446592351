import { agentEventsQueuedMax } from "./limits.ts";
import type { RunnerEvent } from "../../../tasks/ports.ts";

type Item = { kind: "event"; event: RunnerEvent } | { kind: "mark"; reached: () => void };

/**
 * What an agent tells, in order, for a generator that yields it at the pace of the host. The host asks for the next
 * event when it has recorded the last one, so whatever waits for `recorded()` happens with all earlier events on disk.
 */
export class EventQueue {
  readonly #items: Item[] = [];
  #events = 0;
  #ending: { error?: unknown } | undefined;
  #wakeReader = (): void => {};
  #wakeWriters: (() => void)[] = [];

  push(...events: RunnerEvent[]): void {
    for (const event of events) this.#add(event);
    this.#wakeReader();
  }

  /** Resolves when everything pushed so far is recorded; never when nobody reads any more. */
  recorded(): Promise<void> {
    return new Promise((reached) => {
      this.#items.push({ kind: "mark", reached });
      this.#wakeReader();
    });
  }

  /** Resolves when there is room for more; who reads from the agent waits for it. */
  async room(): Promise<void> {
    while (this.#events >= agentEventsQueuedMax && !this.#ending) {
      await new Promise<void>((resolve) => this.#wakeWriters.push(resolve));
    }
  }

  /** No more events: the reader gets the rest, then the error if there is one. */
  end(ending: { error?: unknown } = {}): void {
    this.#ending ??= ending;
    this.#wakeReader();
    this.#letWritersOn();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunnerEvent, void> {
    for (;;) {
      const item = this.#items.shift();
      if (item?.kind === "mark") item.reached();
      else if (item) {
        this.#events -= 1;
        this.#letWritersOn();
        yield item.event;
      } else if (this.#ending) {
        if ("error" in this.#ending) throw this.#ending.error;
        return;
      } else {
        await new Promise<void>((resolve) => (this.#wakeReader = resolve));
      }
    }
  }

  // Pieces of an answer that nobody has fetched yet are one piece.
  #add(event: RunnerEvent): void {
    const last = this.#items.at(-1);
    if (event.kind === "delta" && last?.kind === "event" && last.event.kind === "delta") {
      last.event = { kind: "delta", text: last.event.text + event.text };
      return;
    }
    this.#items.push({ kind: "event", event });
    this.#events += 1;
  }

  #letWritersOn(): void {
    for (const wake of this.#wakeWriters.splice(0)) wake();
  }
}
