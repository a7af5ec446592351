import { structuredPatch } from "diff";
import { diffTimeoutMs, originalFileLengthMax } from "../../../format/limits.ts";

/** How a change looks in a result: the hunks, and the text before it unless that is too long to repeat. */
export function filePatch(
  before: string,
  after: string,
): { originalFile: string | null; structuredPatch: object[] } {
  const patch = structuredPatch("", "", before, after, "", "", { context: 3, timeout: diffTimeoutMs });
  return {
    originalFile: before.length > originalFileLengthMax ? null : before,
    structuredPatch: patch?.hunks ?? [],
  };
}
