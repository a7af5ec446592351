import { formatDuration } from "../../lib/quantities.ts";
import type { CommandContext } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { clearTransientLine, showTransientLine } from "./transient-line.ts";

const FIRST_MS = 1000;
const EACH_MS = 250;

/**
 * Waits for work and, when it takes over a second and somebody watches, says so on standard error with the
 * seconds so far. The line is gone when the work is done, or when Ctrl+C ends it; `ifInterrupted` is said then.
 */
export async function withProgress<T>(
  context: CommandContext,
  text: string,
  work: Promise<T>,
  { ifInterrupted }: { ifInterrupted?: string } = {},
): Promise<T> {
  if (!context.environment.isWatching) return work;
  const startedAt = performance.now();
  let isShown = false;
  const show = (): void => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    showTransientLine(`${text}… ${formatDuration(seconds * 1000)}`, context.environment);
    isShown = true;
  };
  const onExit = (code: number): void => {
    clearTransientLine();
    if (code !== exitCodes.interrupted || ifInterrupted === undefined) return;
    context.say(isShown ? ifInterrupted : `\n${ifInterrupted}`);
  };
  process.once("exit", onExit);
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
    process.removeListener("exit", onExit);
    clearTransientLine();
  }
}
