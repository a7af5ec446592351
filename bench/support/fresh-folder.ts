import fs from "node:fs";
import path from "node:path";
import type { BenchContext, Side } from "./measure.ts";

interface FreshFolderOptions {
  /**
   * Keeps the folder until all benches are done, for sides that make many files. A file system may give deleted places
   * away only after a while and look at all of them meanwhile (ext4 without a journal: minutes), so that what one run
   * deletes would slow the next one down.
   */
  isKept?: boolean;
}

/** A side that gets a new folder for every run, so that nothing a run leaves behind (a cache, a file) helps the next. */
export function inFreshFolder(
  { scratchDir }: BenchContext,
  sideIn: (folder: string) => Side,
  { isKept = false }: FreshFolderOptions = {},
): Side {
  return async () => {
    const folder = fs.mkdtempSync(path.join(scratchDir, "run-"));
    try {
      return await sideIn(folder)();
    } finally {
      if (!isKept) fs.rmSync(folder, { recursive: true });
    }
  };
}
