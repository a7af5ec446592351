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
      let wake: () => void;
      await new Promise<void>((resolve) => {
        wake = resolve;
        this.#waiting.push(wake);
        signal.addEventListener("abort", wake);
      });
      // The signal lives as long as the worker, which may be months.
      signal.removeEventListener("abort", wake!);
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
