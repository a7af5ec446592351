import fs from "node:fs";
import { readBytes } from "../../lib/line-scanner.ts";
import { hashId } from "../line/line-table.ts";

/**
 * What a cache remembers of the file it was derived from, so that it can tell "grown" from "changed".
 * A file counts as grown only if the bytes at its head and just before the covered end are the same as then,
 * and what follows begins a new line.
 */
export interface FileCoverage extends Fingerprints {
  inode: number;
  /** Bytes of the file that the cache describes. */
  to: number;
  /** Of the moment of covering; a file of the same size with another time may have been rewritten in place. */
  mtimeMs: number;
  size: number;
}

export interface Fingerprints {
  head: string;
  tail: string;
}

export type CoverageState = "current" | "grown" | "changed";

const FINGERPRINT_BYTES = 1024;
const NEWLINE = 10;

/** `stat` is of the moment before the file was read: what was written to it since is not covered. */
export function coverageOf(
  fd: number,
  { to, stat }: { to: number; stat: Pick<fs.Stats, "ino" | "size" | "mtimeMs"> },
): FileCoverage {
  return { inode: stat.ino, to, size: stat.size, mtimeMs: stat.mtimeMs, ...readFingerprints(fd, to) };
}

export function compareCoverage(fd: number, covered: FileCoverage): CoverageState {
  const { ino, size, mtimeMs } = fs.fstatSync(fd);
  if (ino !== covered.inode || size < covered.size) return "changed";
  if (size === covered.size) return mtimeMs === covered.mtimeMs ? "current" : "changed";
  const now = readFingerprints(fd, covered.to);
  const isSame = now.head === covered.head && now.tail === covered.tail;
  return isSame && isLineEnd(fd, covered.to) ? "grown" : "changed";
}

// A last line may be covered before its newline is there; what was glued to it since makes it another line.
function isLineEnd(fd: number, at: number): boolean {
  return at === 0 || readBytes(fd, { offset: at - 1, length: 2 }).includes(NEWLINE);
}

/** Of the bytes at the head of a file, and of those before `to`. */
export function readFingerprints(fd: number, to: number): Fingerprints {
  const length = Math.min(FINGERPRINT_BYTES, to);
  return {
    head: digest(readBytes(fd, { offset: 0, length })),
    tail: digest(readBytes(fd, { offset: to - length, length })),
  };
}

/** A short text for bytes: other bytes have another. */
export function digest(bytes: Uint8Array): string {
  return hashId(bytes).toString(36);
}
