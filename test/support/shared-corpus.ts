import fs from "node:fs";
import { fileURLToPath } from "node:url";

const dir = fileURLToPath(new URL("../../../shared/corpus", import.meta.url));

/** Real transcripts beside the clone, which are not ours to publish; undefined where they are not there. */
export function sharedCorpus(): string | undefined {
  return fs.existsSync(dir) ? dir : undefined;
}

/** The corpus, or the test that asks is skipped with a sentence that says so. */
export function requireSharedCorpus(test: { skip(note?: string): never }): string {
  return (
    sharedCorpus() ??
    test.skip("Skipped: the corpus of real transcripts (../shared/corpus) is not on this machine")
  );
}
