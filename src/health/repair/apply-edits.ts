import fs from "node:fs";
import { writeFully } from "../../lib/atomic-write.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { readBytes } from "../../lib/line-scanner.ts";

/** Bytes [offset, offset + length) of the old file become `bytes` in the new one; a length of 0 inserts. */
export interface Edit {
  offset: number;
  length: number;
  bytes: Buffer;
}

const PIECE_BYTES = 1 << 20;

/** Copies a file with edits; every byte outside them is copied as it is. Edits must not overlap. */
export function applyEdits(
  { from, to }: { from: number; to: number },
  edits: readonly Edit[],
  files: FileOps = nodeFileOps,
): void {
  const { size } = fs.fstatSync(from);
  let at = 0;
  const copyUntil = (end: number): void => {
    while (at < end) {
      const piece = readBytes(from, { offset: at, length: Math.min(PIECE_BYTES, end - at) });
      if (piece.length === 0)
        throw new Error(`Cannot copy transcript: it ends at byte ${at} instead of ${end}`);
      writeFully(to, piece, files);
      at += piece.length;
    }
  };
  for (const { offset, length, bytes } of edits.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < at) throw new RangeError(`Cannot apply edits: two overlap at byte ${offset}`);
    copyUntil(offset);
    writeFully(to, bytes, files);
    at = Math.min(size, offset + length);
  }
  copyUntil(size);
}
