import fs from "node:fs";
import { lineBytesMax } from "../format/limits.ts";
import { LineScanner, scanBuffer } from "../lib/line-scanner.ts";
import type { TranscriptPart } from "../store/cut-parts.ts";
import { type Fingerprints, readFingerprints } from "../store/file-coverage.ts";
import { openIfThere } from "../store/open-if-there.ts";
import { addLine, usageOfLine, type MessageUsage } from "../store/message-usage.ts";
import { packMessages } from "./packed-messages.ts";

/** A part of a transcript that is to be scanned. */
export interface ScanPart extends TranscriptPart {
  /** Whether it ends where the transcript is covered; then its fingerprints are wanted. */
  isLast: boolean;
}

export interface ScannedPart {
  /** Packed as the index keeps them, so that the thread that writes need not do it. */
  messages: string;
  /** Of a last part; undefined when the file is gone. */
  fingerprints: Fingerprints | undefined;
}

/**
 * The messages of some parts of transcripts, one chunk a step, so that the caller may let others run in between. A last
 * line without a newline counts when it is whole. A file that is gone has no messages.
 */
export function* scanUsage(parts: readonly ScanPart[]): Generator<void, ScannedPart[]> {
  // Other scans of this thread may run between the steps of this one. They get a buffer of their own.
  const buffer = idleBuffer ?? scanBuffer();
  idleBuffer = undefined;
  const scanned: ScannedPart[] = [];
  for (const part of parts) {
    const messages = new Map<number, MessageUsage>();
    const fd = openIfThere(part.path);
    let fingerprints: Fingerprints | undefined;
    if (fd !== undefined) {
      try {
        yield* scanLines(fd, { ...part, buffer, messages });
        if (part.isLast) fingerprints = readFingerprints(fd, part.to);
      } finally {
        fs.closeSync(fd);
      }
    }
    scanned.push({ messages: packMessages(part.path, messages.values()), fingerprints });
  }
  idleBuffer = buffer;
  return scanned;
}

let idleBuffer: Buffer | undefined;

function* scanLines(
  fd: number,
  { from, to, buffer, messages }: TranscriptPart & { buffer: Buffer; messages: Map<number, MessageUsage> },
): Generator<void, void> {
  const scanner = new LineScanner(fd, { from, to, lineBytesMax, buffer });
  const visit = (bytes: Buffer, start: number, end: number): void => {
    const line = usageOfLine(bytes, start, end);
    if (line) addLine(messages, line);
  };
  while (scanner.next(visit)) yield;
}
