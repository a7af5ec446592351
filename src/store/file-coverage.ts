import fs from "node:fs";
import { readBytes } from "../lib/line-scanner.ts";
import { hashId } from "./line-table.ts";

/**
 * What a cache remembers of the file it was derived from, so that it can tell "grown" from "changed".
 * A file counts as grown only if the bytes at its head and just before the covered end are the same as then.
 */
export interface FileCoverage {
  inode: number;
  /** Bytes of the file that the cache describes. */
  to: number;
  /** Of the moment of covering; a file of the same size with another time may have been rewritten in place. */
  mtimeMs: number;
  size: number;
  head: string;
  tail: string;
}

export type CoverageState = "current" | "grown" | "changed";

const FINGERPRINT_BYTES = 4096;

export function coverageOf(fd: number, to: number): FileCoverage {
  const { ino, size, mtimeMs } = fs.fstatSync(fd);
  return { inode: ino, to, size, mtimeMs, ...fingerprints(fd, to) };
}

export function compareCoverage(fd: number, covered: FileCoverage): CoverageState {
  const { ino, size, mtimeMs } = fs.fstatSync(fd);
  if (ino !== covered.inode || size < covered.size) return "changed";
  if (size === covered.size) return mtimeMs === covered.mtimeMs ? "current" : "changed";
  const now = fingerprints(fd, covered.to);
  return now.head === covered.head && now.tail === covered.tail ? "grown" : "changed";
}

function fingerprints(fd: number, to: number): { head: string; tail: string } {
  const length = Math.min(FINGERPRINT_BYTES, to);
  return {
    head: digest(readBytes(fd, { offset: 0, length })),
    tail: digest(readBytes(fd, { offset: to - length, length })),
  };
}

function digest(bytes: Uint8Array): string {
  return hashId(bytes).toString(36);
}
