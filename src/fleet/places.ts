/** Free places of a worker. */
export class Places {
  #free: number;
  #waiting: (() => void)[] = [];

  constructor(free: number) {
    this.#free = free;
  }

  /** Waits for one; false when the signal came first. */
  async take(signal: AbortSignal): Promise<boolean> {
    while (this.#free === 0 && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    if (signal.aborted) return false;
    this.#free--;
    return true;
  }

  free(): void {
    this.#free++;
    this.#waiting.shift()?.();
  }
}
