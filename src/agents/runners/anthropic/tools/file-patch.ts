import { structuredPatch } from "diff";
import { diffTimeoutMs } from "../../../../lib/limits.ts";
import { originalFileLengthMax, patchedTextLengthMax } from "./limits.ts";

/** How a change looks in a result: the hunks and the text before it, unless they are too long to repeat. */
export function filePatch(
  before: string,
  after: string,
): { originalFile: string | null; structuredPatch: object[] } {
  return {
    originalFile: before.length > originalFileLengthMax ? null : before,
    structuredPatch: before.length + after.length > patchedTextLengthMax ? [] : hunks(before, after),
  };
}

function hunks(before: string, after: string): object[] {
  const patch = structuredPatch("", "", before, after, "", "", { context: 3, timeout: diffTimeoutMs });
  return patch?.hunks ?? [];
}
