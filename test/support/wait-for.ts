export interface WaitForOptions {
  /** Late on purpose: a loaded machine is slow, and only a failing test waits this long. */
  timeoutMs?: number;
}

/** Checks often, gives up late. Resolves with the first answer that is not false, null or undefined. */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 20_000 }: WaitForOptions = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    const answer = await condition();
    if (answer !== false && answer !== null && answer !== undefined)
      return answer as NonNullable<Exclude<T, false>>;
    if (performance.now() > giveUpAt) {
      throw new Error(
        `Cannot wait any longer: ${timeoutMs} ms passed and this is still not so: ${String(condition)}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
