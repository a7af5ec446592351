import { codeOf } from "../lib/errors.ts";
import { indexedBySearchBytesMax } from "./limits.ts";
import type { SearchContext } from "./listed-transcripts.ts";
import type { SearchResult } from "./search-sessions.ts";
import { updateIndex } from "./update-index.ts";

/** Takes in what little was added since the index was made. Only a convenience: whoever cannot do it leaves it. */
export async function keepIndexCurrent(
  context: SearchContext,
  { hasIndex, scannedBytes, unindexed }: SearchResult,
): Promise<void> {
  if (!hasIndex || scannedBytes === 0 || scannedBytes > indexedBySearchBytesMax) return;
  try {
    await updateIndex(context, { only: unindexed });
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
}
