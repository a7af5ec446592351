import { exitCodes } from "./exit-codes.ts";

/**
 * A signal that is aborted by Ctrl+C or a request to end, for a command that has something to finish. Other commands end at
 * once; this one does so at the second signal.
 */
export function endGently(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(exitCodes.interrupted);
      stop.abort();
    });
  }
  return stop.signal;
}
