import fs from "node:fs";
import type { SeededRandom } from "../support/seeded-random.ts";

const WINDOW_BYTES = 4000;

/** Words of transcripts, each from a random place: of what was said, of tools' results, and now and then a key. */
export function sampleWords(files: readonly string[], count: number, random: SeededRandom): string[] {
  const words = new Set<string>();
  // A corpus with too few words gives fewer.
  for (let draw = 0; words.size < count && draw < 100 * count; draw++) {
    const file = files[random.between(0, files.length - 1)]!;
    const found =
      readWindow(file, random.next()).match(/(?<![\\\p{L}\p{N}_])\p{L}[\p{L}_]{3,29}(?![\p{L}_])/gu) ?? [];
    // The first may be the end of a longer one.
    const word = found[random.between(1, Math.max(1, found.length - 2))];
    if (word !== undefined) words.add(word);
  }
  return [...words];
}

function readWindow(file: string, share: number): string {
  const fd = fs.openSync(file, "r");
  try {
    const bytes = Buffer.alloc(WINDOW_BYTES);
    const from = Math.floor(share * Math.max(0, fs.fstatSync(fd).size - WINDOW_BYTES));
    return bytes.toString("utf8", 0, fs.readSync(fd, bytes, 0, WINDOW_BYTES, from));
  } finally {
    fs.closeSync(fd);
  }
}
