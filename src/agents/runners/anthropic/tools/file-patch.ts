import { structuredPatch } from "diff";
import { diffTimeoutMs } from "../../../../lib/limits.ts";
import { originalFileLengthMax, patchedTextLengthMax } from "./limits.ts";

/** How a change looks in a result: the hunks and the text before it, unless they are too long to repeat. */
export function filePatch(
  before: string,
  after: string,
): { originalFile: string | null; structuredPatch: object[] } {
  const isCompared = before.length + after.length <= patchedTextLengthMax;
  const options = { context: 3, timeout: diffTimeoutMs };
  return {
    originalFile: before.length > originalFileLengthMax ? null : before,
    structuredPatch: (isCompared && structuredPatch("", "", before, after, "", "", options)?.hunks) || [],
  };
}
