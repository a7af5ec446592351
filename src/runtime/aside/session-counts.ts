import { countedListMsMax } from "./limits.ts";

/**
 * Whether a list of sessions is to say how many messages each has. The first time that means to read all of them, so a first
 * list does without, and they are counted while nobody waits.
 */
export class SessionCounts {
  readonly #count: () => Promise<{ tookMs: number }>;
  #areKnown = false;
  #isCounting = false;

  constructor(count: () => Promise<{ tookMs: number }>) {
    this.#count = count;
  }

  /** True once they are known; the first question has them counted. */
  areKnown(): boolean {
    if (!this.#isCounting) {
      this.#isCounting = true;
      this.#count().then(
        ({ tookMs }) => (this.#areKnown = tookMs <= countedListMsMax),
        // The thread was closed, or the home cannot be read: the next list tries again.
        () => (this.#isCounting = false),
      );
    }
    return this.#areKnown;
  }
}
