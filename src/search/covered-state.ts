import fs from "node:fs";
import type { AnyTranscript } from "../store/all-transcripts.ts";
import { compareCoverage } from "../store/file-coverage.ts";
import { openIfThere } from "../store/open-if-there.ts";
import type { IndexedFile } from "./search-database.ts";

/** Whether the index holds all of a transcript, as its folder shows it now. */
export function isCovered({ bytes, mtimeMs, inode }: AnyTranscript, { coverage }: IndexedFile): boolean {
  return (
    coverage.inode === inode &&
    coverage.size === bytes &&
    coverage.mtimeMs === mtimeMs &&
    coverage.to === bytes
  );
}

/** Whether what the index holds of a transcript still is its beginning. */
export function stateOf(file: string, { coverage }: IndexedFile): "grown" | "changed" | "gone" {
  const fd = openIfThere(file);
  if (fd === undefined) return "gone";
  try {
    // As if the file had ended where the index does: whatever follows has been added since.
    const state = compareCoverage(fd, { ...coverage, size: coverage.to });
    return state === "changed" ? "changed" : "grown";
  } finally {
    fs.closeSync(fd);
  }
}
