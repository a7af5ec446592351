import type { Entry } from "../format/index.ts";
import { lineBytesMax } from "../format/limits.ts";
import { readBytes } from "../lib/line-scanner.ts";
import { rejectionReason, type Rejection } from "./rejection.ts";

export interface LineRef {
  offset: number;
  length: number;
}

export type ReadLine = { ok: true; entry: Entry; bytes: Buffer } | { ok: false; rejection: Rejection };

/** Reads and parses one line at a known place. The bytes are the line as it stands in the file. */
export function readLine(fd: number, ref: LineRef): ReadLine {
  if (ref.length > lineBytesMax) return { ok: false, rejection: { ...ref, reason: "too-long" } };
  return parseLine(readBytes(fd, ref), ref);
}

/** Parses the bytes of one line into an entry, or says why they are none. */
export function parseLine(bytes: Buffer, ref: LineRef): ReadLine {
  const reject = (): ReadLine => ({ ok: false, rejection: { ...ref, reason: rejectionReason(bytes) } });
  if (bytes.includes(0)) return reject();
  try {
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    const value: unknown = JSON.parse(bytes.toString("utf8", hasMark ? 3 : 0));
    if (typeof (value as { type?: unknown } | null)?.type === "string")
      return { ok: true, entry: value as Entry, bytes };
  } catch {
    /* rejected below, with the reason */
  }
  return reject();
}
