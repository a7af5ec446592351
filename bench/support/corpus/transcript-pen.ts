import fs from "node:fs";
import path from "node:path";
import type { Tally } from "./tally.ts";

/** Writes the lines of one transcript in large blocks and counts them. */
export interface TranscriptPen {
  readonly bytes: number;
  readonly lines: number;
  write(line: string): void;
  /** Flushes, closes, and dates the file as if its last line had been written at `updatedAtMs`. */
  close(updatedAtMs: number): void;
}

const BLOCK_BYTES = 4 * 1024 * 1024;

export function openTranscriptPen({ file, tally }: { file: string; tally: Tally }): TranscriptPen {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const descriptor = fs.openSync(file, "wx");
  let pending: string[] = [];
  let pendingBytes = 0;
  let bytes = 0;
  let lines = 0;

  function flush(): void {
    if (pending.length > 0) fs.writeFileSync(descriptor, pending.join(""));
    pending = [];
    pendingBytes = 0;
  }

  return {
    get bytes() {
      return bytes;
    },
    get lines() {
      return lines;
    },
    write(line) {
      const lineBytes = Buffer.byteLength(line);
      pending.push(line, "\n");
      pendingBytes += lineBytes + 1;
      bytes += lineBytes + 1;
      lines += 1;
      tally.line(lineBytes);
      if (pendingBytes >= BLOCK_BYTES) flush();
    },
    close(updatedAtMs) {
      flush();
      fs.closeSync(descriptor);
      fs.utimesSync(file, updatedAtMs / 1000, updatedAtMs / 1000);
    },
  };
}
