import fs from "node:fs";
import path from "node:path";
import type { BenchContext, Side } from "./measure.ts";

/** A side that gets a new folder for every run, so that nothing a run leaves behind (a cache, a file) helps the next. */
export function inFreshFolder({ scratchDir }: BenchContext, sideIn: (folder: string) => Side): Side {
  return async () => {
    const folder = fs.mkdtempSync(path.join(scratchDir, "run-"));
    try {
      return await sideIn(folder)();
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  };
}
