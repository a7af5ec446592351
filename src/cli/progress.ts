import type { CommandContext } from "./command.ts";

const FIRST_MS = 1000;
const EACH_MS = 250;

/**
 * Waits for work and, when it takes over a second and somebody watches, says so on standard error with the
 * seconds so far. The line is gone when the work is done.
 */
export async function withProgress<T>(context: CommandContext, text: string, work: Promise<T>): Promise<T> {
  if (!context.environment.isWatching) return work;
  const { columns } = context.environment.stderr;
  const startedAt = performance.now();
  let isShown = false;
  const show = (): void => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    process.stderr.write(`\r\u001b[K${`${text}… ${seconds} s`.slice(0, columns - 1)}`);
    isShown = true;
  };
  let ticks: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    show();
    ticks = setInterval(show, EACH_MS);
  }, FIRST_MS);
  try {
    return await work;
  } finally {
    clearTimeout(first);
    clearInterval(ticks);
    if (isShown) process.stderr.write("\r\u001b[K");
  }
}
