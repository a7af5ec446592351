import type { Entry } from "../../format/index.ts";
import { lineBytesMax } from "../../format/limits.ts";
import { entryOfText } from "../../format/line-entry.ts";
import { readBytes } from "../../lib/line-scanner.ts";
import type { LineTable } from "./line-table.ts";
import { rejectionReason, type Rejection } from "./rejection.ts";

export interface LineRef {
  offset: number;
  length: number;
}

export type ReadLine = { ok: true; entry: Entry } | { ok: false; rejection: Rejection };

// Lines are parsed one after the other; a buffer of its own for each would be freed only long after.
const SCRATCH_BYTES_MAX = 4 * 1024 * 1024;
let scratch = Buffer.alloc(0);

/** Reads and parses one line at a known place. */
export function readLine(fd: number, ref: LineRef): ReadLine {
  const bytes = readLineBytes(fd, ref);
  return bytes ? parseLine(bytes, ref) : { ok: false, rejection: { ...ref, reason: "too-long" } };
}

/** The bytes of one line, valid until the next read; undefined for one that is too long to be an entry. */
export function readLineBytes(fd: number, ref: LineRef): Buffer | undefined {
  if (ref.length > lineBytesMax) return undefined;
  if (ref.length > scratch.length && ref.length <= SCRATCH_BYTES_MAX)
    scratch = Buffer.allocUnsafeSlow(ref.length * 2);
  return readBytes(fd, { ...ref, into: ref.length <= scratch.length ? scratch : undefined });
}

/** A line of a table: as it was parsed while the table was made, or read now. */
export function readTableLine(table: LineTable, fd: number, line: number): ReadLine {
  const ref = { offset: table.offset[line]!, length: table.length[line]! };
  const entry = table.parsed?.get(ref.offset);
  return entry ? { ok: true, entry } : readLine(fd, ref);
}

/** Parses the bytes of one line into an entry, or says why they are none. */
export function parseLine(bytes: Buffer, ref: LineRef): ReadLine {
  const entry = entryOfLine(bytes);
  return entry ? { ok: true, entry } : { ok: false, rejection: { ...ref, reason: rejectionReason(bytes) } };
}

/** The bytes of one line as an entry; undefined when they are none, for callers that need not say why. */
export function entryOfLine(line: Buffer): Entry | undefined {
  return entryOfText(line.toString("utf8"));
}
