import fs from "node:fs";
import { lineBytesMax } from "../format/limits.ts";
import { LineScanner } from "../lib/line-scanner.ts";
import type { TranscriptPart } from "../store/cut-parts.ts";
import { type Fingerprints, readFingerprints } from "../store/file-coverage.ts";
import { openIfThere } from "../store/open-if-there.ts";
import type { MessageRows } from "./message-table.ts";
import { UsageReader } from "./usage-reader.ts";

/** A part of a transcript that is to be scanned. */
export interface ScanPart extends TranscriptPart {
  /** Whether the transcript is covered with this part: then its fingerprints are wanted. */
  isLast: boolean;
}

/** The messages of several parts, one after the other, in one array: every array on its own costs a thread some work. */
export interface ScannedParts extends MessageRows {
  /** Of each part: how many rows it has. */
  counts: number[];
  /** Of each part that is the last; none when the file is gone. */
  fingerprints: (Fingerprints | undefined)[];
}

/**
 * The messages of some parts of transcripts, one chunk a step, so that whoever calls may let others run in between. A
 * last line without a newline counts when it is whole; a file that is gone has no messages.
 */
export function* scanUsage(parts: readonly ScanPart[]): Generator<void, ScannedParts> {
  // Other scans of this thread may run between the steps of this one: then they have a reader of their own.
  const reader = idleReader ?? new UsageReader();
  idleReader = undefined;
  const { messages } = reader;
  const counts: number[] = [];
  const fingerprints: ScannedParts["fingerprints"] = [];
  for (const part of parts) {
    const before = messages.count;
    messages.beginFile();
    const fd = openIfThere(part.path);
    let prints: Fingerprints | undefined;
    if (fd !== undefined) {
      try {
        yield* scanFile(fd, part, reader);
        if (part.isLast) prints = readFingerprints(fd, part.to);
      } finally {
        fs.closeSync(fd);
      }
    }
    counts.push(messages.count - before);
    fingerprints.push(prints);
  }
  const rows = messages.take();
  idleReader = reader;
  return { rows, models: [...messages.models], counts, fingerprints };
}

// The forms that a reader knows serve all scans of a thread.
let idleReader: UsageReader | undefined;

function* scanFile(fd: number, { from, to }: TranscriptPart, reader: UsageReader): Generator<void, void> {
  const scanner = new LineScanner(fd, {
    from,
    to,
    lineBytesMax,
    chunkBytes: CHUNK_BYTES,
    buffer: reader.buffer,
    visitTogether: (start, end) => reader.readKnown(start, end),
  });
  const visit = (bytes: Buffer, start: number, end: number): void => reader.read(bytes, start, end);
  let steps = 0;
  while (scanner.next(visit)) if (++steps % STEP_CHUNKS === 0) yield;
}

// What was read is looked at while it is still in the cache of a core.
const CHUNK_BYTES: number = 1 << 19;
// A chunk takes a fraction of a millisecond.
const STEP_CHUNKS = 8;
