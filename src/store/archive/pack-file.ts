import { createHash } from "node:crypto";
import fs from "node:fs";
import { promisify } from "node:util";
import { constants, zstdCompress } from "node:zlib";
import { packedFrameBytesMax } from "../../format/limits.ts";
import { writeFully } from "../../lib/atomic-write.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { readBytes } from "../../lib/line-scanner.ts";
import { storeError } from "../errors.ts";
import { buildFrameTable } from "./packed-form.ts";
import { readPacked } from "./read-packed.ts";

export interface PackedFile {
  /** Of the content. */
  bytes: number;
  sha256: string;
  /** Of the packed file. */
  storedBytes: number;
}

const compress = promisify(zstdCompress);
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
// The usual level: a higher one gains a fifth and costs twice the time. Each frame carries a checksum of its content.
const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 };

/**
 * Packs a file into a new one, synced, and reads it back: what it returns is true of both. Holds one frame at a time.
 * Throws when the packed file does not give back what was read.
 */
export async function packFile(
  { from, to }: { from: string; to: string },
  files: FileOps = nodeFileOps,
): Promise<PackedFile> {
  const source = fs.openSync(from, O_RDONLY | O_NOFOLLOW);
  try {
    const target = files.openSync(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      const packed = await pack(source, target, files);
      files.fsyncSync(target);
      verify(to, packed);
      return packed;
    } finally {
      files.closeSync(target);
    }
  } finally {
    fs.closeSync(source);
  }
}

async function pack(source: number, target: number, files: FileOps): Promise<PackedFile> {
  const hash = createHash("sha256");
  const frames: { length: number; bytes: number }[] = [];
  // What is appended meanwhile is not taken; whoever asked looks whether the file is still the same.
  const { size } = fs.fstatSync(source);
  let bytes = 0;
  let storedBytes = 0;
  while (bytes < size) {
    const piece = readBytes(source, { offset: bytes, length: Math.min(packedFrameBytesMax, size - bytes) });
    if (piece.length === 0) break;
    hash.update(piece);
    const frame = await compress(piece, { params });
    writeFully(target, frame, files);
    frames.push({ length: frame.length, bytes: piece.length });
    bytes += piece.length;
    storedBytes += frame.length;
  }
  const table = buildFrameTable(frames);
  writeFully(target, table, files);
  return { bytes, sha256: hash.digest("hex"), storedBytes: storedBytes + table.length };
}

function verify(file: string, packed: PackedFile): void {
  const hash = createHash("sha256");
  for (const piece of readPacked(file)) hash.update(piece);
  if (hash.digest("hex") === packed.sha256) return;
  throw storeError("archive_damaged", `Cannot archive to "${file}": it does not give back what was written`, {
    fields: { path: file },
  });
}

/** The digest of a file as it is now; undefined when it is gone or no regular file. */
export function digestOf(file: string): string | undefined {
  let fd: number;
  try {
    fd = fs.openSync(file, O_RDONLY | O_NOFOLLOW | fs.constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) return undefined;
    const hash = createHash("sha256");
    const buffer = Buffer.allocUnsafe(Math.min(packedFrameBytesMax, Math.max(1, stat.size)));
    for (let offset = 0; ;) {
      const piece = readBytes(fd, { offset, length: buffer.length, into: buffer });
      if (piece.length === 0) return hash.digest("hex");
      hash.update(piece);
      offset += piece.length;
    }
  } finally {
    fs.closeSync(fd);
  }
}
