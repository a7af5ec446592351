import { isUtf8 } from "node:buffer";
import fs from "node:fs";
import {
  searchedAtOnceBytes,
  searchedLineBytesMax,
  searchMarks,
  searchOffsets,
  searchOffsetsMax,
  searchTellMs,
} from "./limits.ts";
import { withOutputFile } from "./read-output.ts";

export interface OutputQuery {
  q: string;
  isRegex?: boolean | undefined;
  isCaseSensitive?: boolean | undefined;
  /** How many offsets are named; all matches are counted. */
  offsetsMax?: number | undefined;
}

/** How far a search is, what it found since it last said so, or that it is done. */
export type OutputFound =
  | { kind: "found"; offsets: [offset: number, bytes: number][] }
  | {
      kind: "progress" | "done";
      searchedBytes: number;
      totalBytes: number;
      /** Exact for the bytes that were searched. */
      count: number;
      /** How many matches are in each of so many equal parts of the file. */
      marks: number[];
    };

/** The expression of a query, which is held against each line. Throws a SyntaxError for one that is none. */
export function searchPattern({ q, isRegex, isCaseSensitive }: OutputQuery): RegExp {
  const source = isRegex ? q : q.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return new RegExp(source, isCaseSensitive ? "gm" : "gim");
}

/** Looks through a whole output, however large, and says each match. Blocks its thread. */
export function searchOutput(file: string, query: OutputQuery, tell: (found: OutputFound) => void): void {
  const pattern = searchPattern(query);
  const named = Math.min(query.offsetsMax ?? searchOffsets, searchOffsetsMax);
  const marks = Array.from({ length: searchMarks }, () => 0);
  let [count, offsets, toldAt, searched, total] = [0, [] as [number, number][], 0, 0, 0];
  const say = (kind: "progress" | "done"): void => {
    if (offsets.length > 0) tell({ kind: "found", offsets });
    offsets = [];
    tell({ kind, searchedBytes: searched, totalBytes: total, count, marks });
    toldAt = performance.now();
  };
  withOutputFile(file, (fd, { size, cut }) => {
    total = size;
    searched = cut;
    for (const { bytes, at } of wholeLines(fd, { from: cut, to: size })) {
      for (const [offset, length] of matchesIn(bytes, pattern)) {
        marks[Math.min(searchMarks - 1, Math.floor(((at + offset) / size) * searchMarks))]!++;
        if (count++ < named) offsets.push([at + offset, length]);
      }
      searched = at + bytes.length;
      if (performance.now() - toldAt > searchTellMs) say("progress");
    }
  });
  say("done");
}

// Pieces that end with a line, so that no match is cut; only of a line that is longer than all memory for it.
function* wholeLines(
  fd: number,
  { from, to }: { from: number; to: number },
): Generator<{ bytes: Buffer; at: number }> {
  let rest = Buffer.alloc(0);
  for (let at = from; at < to;) {
    const next = Buffer.allocUnsafe(Math.min(searchedAtOnceBytes, to - at));
    const got = fs.readSync(fd, next, 0, next.length, at);
    if (got === 0) break;
    const bytes = Buffer.concat([rest, next.subarray(0, got)]);
    const begin = at - rest.length;
    at += got;
    const end = at >= to || bytes.length > searchedLineBytesMax ? bytes.length : bytes.lastIndexOf(10) + 1;
    rest = bytes.subarray(end);
    if (end > 0) yield { bytes: bytes.subarray(0, end), at: begin };
  }
}

// Offsets count bytes. What is no UTF-8 is searched byte by byte, because its characters have no length.
function* matchesIn(bytes: Buffer, pattern: RegExp): Generator<[offset: number, bytes: number]> {
  const encoding = isUtf8(bytes) ? "utf8" : "latin1";
  const text = bytes.toString(encoding);
  let [offset, from] = [0, 0];
  for (const match of text.matchAll(pattern)) {
    if (match[0] === "") continue;
    offset += Buffer.byteLength(text.slice(from, match.index), encoding);
    const length = Buffer.byteLength(match[0], encoding);
    yield [offset, length];
    offset += length;
    from = match.index + match[0].length;
  }
}
