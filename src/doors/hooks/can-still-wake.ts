import { hasOpenInput } from "../../lib/open-input.ts";
import { lookAtProcesses } from "../../lib/process-table.ts";

/**
 * Whether a client that is idle goes on: one that was given a single prompt ends after it, and one whose input has closed
 * gets no more. Both wait for their hooks first, so a hook that waits for a task would only hold them up.
 */
export function canStillWake(client: number): boolean {
  const words = lookAtProcesses().command(client).split(" ");
  const isPrinting = words.includes("-p") || words.includes("--print");
  if (isPrinting && !words.some((word) => word.endsWith("stream-json"))) return false;
  return hasOpenInput(client);
}
