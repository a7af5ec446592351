import { createHash } from "node:crypto";
import fs from "node:fs";
import { packedFrameBytesMax } from "./limits.ts";
import { readBytes } from "../../lib/line-scanner.ts";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

/** The digest of a file as it is now; undefined when it is gone or no regular file. */
export function digestOf(file: string): string | undefined {
  let fd: number;
  try {
    fd = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) return undefined;
    return digestOfPieces(piecesOf(fd, stat.size));
  } finally {
    fs.closeSync(fd);
  }
}

function* piecesOf(fd: number, size: number): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(packedFrameBytesMax, Math.max(1, size)));
  for (let offset = 0; ;) {
    const piece = readBytes(fd, { offset, length: buffer.length, into: buffer });
    if (piece.length === 0) return;
    yield piece;
    offset += piece.length;
  }
}

/** The digest of what comes in pieces; told of the length of each. */
export function digestOfPieces(
  pieces: Iterable<Buffer>,
  onBytes: (bytes: number) => void = () => {},
): string {
  const hash = createHash("sha256");
  for (const piece of pieces) {
    hash.update(piece);
    onBytes(piece.length);
  }
  return hash.digest("hex");
}
