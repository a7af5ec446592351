import fs from "node:fs";
import path from "node:path";
import { holdfastPaths } from "../format/paths.ts";
import { listSearched, type SearchContext } from "./listed-transcripts.ts";
import { SearchDatabase } from "./search-database.ts";
import { isCovered } from "./covered-state.ts";

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
  const { indexDir } = holdfastPaths(context.home);
  const transcripts = listSearched(context);
  const database = SearchDatabase.openToRead(indexDir);
  try {
    const known = new Map(database?.listFiles().map((file) => [file.path, file]));
    const missingBytes = transcripts.reduce((sum, transcript) => {
      const file = known.get(transcript.path);
      if (!file) return sum + transcript.bytes;
      return isCovered(transcript, file) ? sum : sum + Math.max(0, transcript.bytes - file.to);
    }, 0);
    const counted = database?.count() ?? { files: 0, documents: 0 };
    return { ...counted, indexBytes: database ? databaseBytes(indexDir) : 0, missingBytes };
  } finally {
    database?.close();
  }
}

function databaseBytes(indexDir: string): number {
  const sizeOf = (name: string): number =>
    fs.statSync(path.join(indexDir, name), { throwIfNoEntry: false })?.size ?? 0;
  return sizeOf("search.db") + sizeOf("search.db-wal");
}
