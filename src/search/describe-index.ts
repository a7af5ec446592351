import { holdfastPaths } from "../format/paths.ts";
import { isCurrent } from "../store/index/covered-files.ts";
import { DerivedIndex } from "../store/index/derived-index.ts";
import { listSearched, type SearchContext } from "./listed-transcripts.ts";
import { WordIndex } from "./word-index.ts";

export interface IndexState {
  /** Transcripts and entries that the index holds. */
  files: number;
  documents: number;
  /** Of the index itself, on the disk. */
  indexBytes: number;
  /** Of transcripts, that are not in the index yet, as far as their folders tell. */
  missingBytes: number;
}

/** What the index holds, and what it does not. */
export function describeIndex(context: SearchContext): IndexState {
  const index = new DerivedIndex(holdfastPaths(context.home).indexDir, { onTrouble: context.onIndexTrouble });
  try {
    const words = new WordIndex(index);
    const known = words.files.list();
    const missingBytes = listSearched(context).reduce((sum, transcript) => {
      const file = known.get(transcript.path);
      if (!file) return sum + transcript.bytes;
      return isCurrent(file, transcript) ? sum : sum + Math.max(0, transcript.bytes - file.size);
    }, 0);
    return { ...words.count(), indexBytes: index.bytes, missingBytes };
  } finally {
    index.close();
  }
}
