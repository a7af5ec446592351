import fs from "node:fs";
import type { Entry } from "../../format/index.ts";
import { lineBytesMax } from "../../format/limits.ts";
import { LineScanner, isBlank, type LinePosition } from "../../lib/line-scanner.ts";
import { applyFilter, type EntryFilter } from "./entry-filter.ts";
import { openTranscriptFile } from "./open-transcript.ts";
import { parseLine } from "../line/read-line.ts";
import type { Rejection } from "../line/rejection.ts";

export type StreamedLine =
  /** `bytes` is the line as it stands in the file, without its newline. */
  | { kind: "entry"; entry: Entry; offset: number; length: number; bytes: Buffer }
  | { kind: "rejection"; rejection: Rejection };

/**
 * Every line of a transcript in file order: the entries that pass the filter, and every line that is none.
 * Holds one chunk at a time; what is appended after the call is not seen (follow it instead).
 */
export async function* streamEntries(file: string, filter: EntryFilter = {}): AsyncGenerator<StreamedLine> {
  const fd = openTranscriptFile(file);
  try {
    const scanner = new LineScanner(fd, { from: 0, to: fs.fstatSync(fd).size, lineBytesMax });
    let lines: StreamedLine[] = [];
    const visit = (bytes: Buffer, start: number, end: number, position: LinePosition): void => {
      const line = readVisited(bytes.subarray(start, end), position, filter);
      if (line) lines.push(line);
    };
    for (let isMore = true; isMore;) {
      isMore = scanner.next(visit);
      yield* lines;
      lines = [];
      await new Promise(setImmediate);
    }
  } finally {
    fs.closeSync(fd);
  }
}

/** One scanned line as an entry or a rejection; undefined for a blank one and for what the filter keeps back. */
export function readVisited(
  bytes: Buffer,
  position: LinePosition,
  filter: EntryFilter = {},
): StreamedLine | undefined {
  const { offset, length, oversized } = position;
  if (oversized) return { kind: "rejection", rejection: { offset, length, reason: "too-long" } };
  if (isBlank(bytes, 0, bytes.length)) return undefined;
  // The scanner reuses its buffer for the next chunk, so what is handed out is a copy.
  const line = Buffer.from(bytes);
  const read = parseLine(line, { offset, length });
  if (!read.ok) return { kind: "rejection", rejection: read.rejection };
  const entry = applyFilter(read.entry, filter);
  return entry && { kind: "entry", entry, offset, length, bytes: line };
}
