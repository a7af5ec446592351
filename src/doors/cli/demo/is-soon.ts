/** Far longer than anything in the tour takes: who waits so long has found that it is not so. */
const WAIT_MS = 30_000;
const POLL_MS = 20;

/** Whether something becomes so within a reasonable time. */
export async function isSoon(condition: () => boolean | Promise<boolean>): Promise<boolean> {
  const giveUpAt = performance.now() + WAIT_MS;
  while (!(await condition()) && performance.now() < giveUpAt)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  return condition();
}
