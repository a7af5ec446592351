import fs from "node:fs";
import type { AnyTranscript } from "../store/all-transcripts.ts";
import { compareCoverage } from "../store/file-coverage.ts";
import { openIfThere } from "../store/open-if-there.ts";
import type { IndexedFile, SearchDatabase } from "./search-database.ts";

/** Whether the index holds all of a transcript, as its folder shows it now. */
export function isCovered({ bytes, mtimeMs, inode }: AnyTranscript, file: IndexedFile): boolean {
  return file.inode === inode && file.size === bytes && file.mtimeMs === mtimeMs && file.to === bytes;
}

/** Whether what the index holds of a transcript still is its beginning. */
export function stateOf(file: IndexedFile, database: SearchDatabase): "grown" | "changed" | "gone" {
  const fd = openIfThere(file.path);
  if (fd === undefined) return "gone";
  try {
    // As if the file had ended where the index does: whatever follows has been added since.
    const covered = { ...file, ...database.getFingerprints(file.id), size: file.to };
    return compareCoverage(fd, covered) === "changed" ? "changed" : "grown";
  } finally {
    fs.closeSync(fd);
  }
}
