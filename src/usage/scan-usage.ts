import fs from "node:fs";
import { lineBytesMax } from "../format/limits.ts";
import { scanBuffer, scanLines } from "../lib/line-scanner.ts";
import type { TranscriptPart } from "../store/line/cut-parts.ts";
import { type Fingerprints, readFingerprints } from "../store/index/file-coverage.ts";
import { openIfThere } from "../store/read/open-if-there.ts";
import { addLine, usagesOfLine, type MessageUsage } from "../store/line/message-usage.ts";
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
 * The messages of some parts of transcripts. A last line without a newline counts when it is whole. A file that is gone has no
 * messages.
 */
export function scanUsage(parts: readonly ScanPart[]): ScannedPart[] {
  const buffer = (sharedBuffer ??= scanBuffer());
  const scanned: ScannedPart[] = [];
  for (const { path, from, to, isLast } of parts) {
    const messages = new Map<number, MessageUsage>();
    const fd = openIfThere(path);
    let fingerprints: Fingerprints | undefined;
    if (fd !== undefined) {
      try {
        scanLines(fd, { from, to, lineBytesMax, buffer }, (bytes, start, end) => {
          for (const each of usagesOfLine(bytes, start, end)) addLine(messages, each);
        });
        if (isLast) fingerprints = readFingerprints(fd, to);
      } finally {
        fs.closeSync(fd);
      }
    }
    scanned.push({ messages: packMessages(path, messages.values()), fingerprints });
  }
  return scanned;
}

// One for all files, because parts are scanned without a pause: new memory for each would take a sixth of the time.
let sharedBuffer: Buffer | undefined;
