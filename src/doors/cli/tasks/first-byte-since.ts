import type { OutputFileFacts, Task } from "../../../index.ts";
import { formatAge } from "../../../lib/quantities.ts";
import { cliError } from "../errors.ts";

/**
 * The byte at which the output of a command begins that it wrote since a moment. A command writes into its file directly, so
 * no line has a time. Known are the start of the task and the last change of the file; a moment between them is refused.
 */
export function firstByteSince(
  { record }: Task,
  { bytes = 0, changedAt }: OutputFileFacts,
  since: Date,
): number {
  if (Date.parse(record.startedAt) >= since.getTime()) return 0;
  if (bytes === 0 || changedAt === undefined || Date.parse(changedAt) < since.getTime()) return bytes;
  const now = new Date();
  throw cliError(
    "usage",
    `Cannot show task "${record.id}" from a moment on: the output of a command holds no times. It started ${ago(record.startedAt, now)} and wrote ${ago(changedAt, now)}; --tail shows the end`,
  );
}

function ago(moment: string, now: Date): string {
  const age = formatAge(moment, now);
  return age === "now" ? "just now" : `${age} ago`;
}
