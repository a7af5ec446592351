import type { CommandContext } from "./command.ts";
import { formatBytes } from "../../lib/quantities.ts";
import { clearTransientLine, showTransientLine } from "./transient-line.ts";

/** How far some work has come, in bytes or in what else it counts. */
export interface ByteProgress {
  doneBytes: number;
  totalBytes: number;
}

const FIRST_MS = 1000;
const EACH_MS = 200;
const BAR_CELLS = 24;

/**
 * Does work that tells how far it is; when it takes over a second and somebody watches, a bar on standard error shows
 * it. The line is gone when the work is done or Ctrl+C ends it.
 */
export async function withProgressBar<T>(
  { environment }: CommandContext,
  text: string,
  work: (onProgress: (progress: ByteProgress) => void) => Promise<T>,
  amountText: (total: number) => string = formatBytes,
): Promise<T> {
  if (!environment.isWatching) return work(() => {});
  const startedAt = performance.now();
  let shownAt = 0;
  process.once("exit", clearTransientLine);
  try {
    return await work(({ doneBytes, totalBytes }) => {
      const now = performance.now();
      if (now - startedAt < FIRST_MS || now - shownAt < EACH_MS) return;
      shownAt = now;
      showTransientLine(
        `${text} ${bar({ doneBytes, totalBytes })} of ${amountText(totalBytes)}`,
        environment,
      );
    });
  } finally {
    process.removeListener("exit", clearTransientLine);
    clearTransientLine();
  }
}

function bar({ doneBytes, totalBytes }: ByteProgress): string {
  const share = totalBytes === 0 ? 1 : Math.min(1, doneBytes / totalBytes);
  const full = Math.round(share * BAR_CELLS);
  return `${"█".repeat(full)}${"░".repeat(BAR_CELLS - full)} ${Math.floor(share * 100)} %`;
}
