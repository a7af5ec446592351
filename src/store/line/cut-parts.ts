import fs from "node:fs";
import { findLineStart } from "../../lib/line-scanner.ts";
import { isPacked } from "../archive/read-packed.ts";
import { openIfThere } from "../read/open-if-there.ts";

/** A part of a transcript, from the start of one line to the start of another or the end of the file. */
export interface TranscriptPart {
  path: string;
  from: number;
  to: number;
}

/**
 * A part of a transcript as parts of about `pieceBytes`, each of whole lines. A packed transcript is not cut: it is
 * unpacked at every opening. One that is gone has no parts.
 */
export function cutParts({ path, from, to }: TranscriptPart, pieceBytes: number): TranscriptPart[] {
  if (isPacked(path) || to - from <= pieceBytes * 1.5) return [{ path, from, to }];
  const fd = openIfThere(path);
  if (fd === undefined) return [];
  try {
    const parts: TranscriptPart[] = [];
    let start = from;
    while (to - start > pieceBytes * 1.5) {
      const cut = findLineStart(fd, start + pieceBytes);
      // A line longer than a piece goes with what follows it.
      if (cut <= start) break;
      parts.push({ path, from: start, to: cut });
      start = cut;
    }
    return [...parts, { path, from: start, to }];
  } finally {
    fs.closeSync(fd);
  }
}

export function bytesOf(parts: readonly TranscriptPart[]): number {
  return parts.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Parts in groups of about `batchBytes`: what is handed from one thread to another is better not too small. */
export function* batchParts<Part extends TranscriptPart>(
  parts: Iterable<Part>,
  batchBytes: number,
): Generator<Part[]> {
  let batch: Part[] = [];
  let size = 0;
  for (const part of parts) {
    size += part.to - part.from;
    if (size > batchBytes && batch.length > 0) {
      yield batch;
      batch = [];
      size = part.to - part.from;
    }
    batch.push(part);
  }
  if (batch.length > 0) yield batch;
}
