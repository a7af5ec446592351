import { liveOutputBytesMax, liveOutputMs } from "./limits.ts";
import { OutputTail } from "./output-tail.ts";

/**
 * Takes what a command prints while it runs, and tells whoever watches how it ends now, a few times a second at most.
 * Keeps no process alive.
 */
export function liveOutput(tell: ((text: string) => void) | undefined): (chunk: Buffer) => void {
  if (!tell) return () => {};
  const tail = new OutputTail(liveOutputBytesMax);
  let timer: NodeJS.Timeout | undefined;
  return (chunk) => {
    tail.add(chunk);
    timer ??= setTimeout(() => {
      timer = undefined;
      tell(tail.read().text);
    }, liveOutputMs).unref();
  };
}
