import { agentAbortMs } from "../../tasks/kinds/agent/limits.ts";
import type { RunnerEnd, RunnerEvent } from "../../tasks/ports.ts";

export interface PatientEvents {
  /** Undefined when the runner did not end in time after the signal. */
  next(): Promise<IteratorResult<RunnerEvent, RunnerEnd> | undefined>;
  /** Lets the runner tidy up, as long as it takes no longer than it may. */
  close(): Promise<void>;
}

/**
 * The events of a runner, which is waited for without a limit until the signal comes, and for a while afterwards: it may
 * have to tell results of tools that it broke off. One that hangs is left to its fate.
 */
export function patient(events: AsyncGenerator<RunnerEvent, RunnerEnd>, signal: AbortSignal): PatientEvents {
  let giveUp: (() => void) | undefined;
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    timer ??= setTimeout(() => {
      isLate = true;
      giveUp?.();
    }, agentAbortMs);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  const inTime = <T>(answer: Promise<T>): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      giveUp = () => resolve(undefined);
      if (isLate) giveUp();
      answer.then(resolve, reject);
    });
  return {
    next: () => inTime(events.next()),
    async close() {
      try {
        await inTime(events.return(undefined as never));
      } catch {
        /* What went wrong before counts, not what goes wrong behind it. */
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      }
    },
  };
}
