import fs from "node:fs";
import { lineBytesMax } from "../../format/limits.ts";
import { LineScanner } from "../../lib/line-scanner.ts";
import { openTranscriptFile } from "../read/open-transcript.ts";

/**
 * Shows every line of a transcript to `visit`, as bytes, so that it parses only the few it needs. The bytes
 * are only valid during the call. Lets other work run between chunks; oversized lines are passed over.
 */
export async function scanTranscript(
  file: string,
  visit: (line: Buffer) => void,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const fd = openTranscriptFile(file);
  try {
    const scanner = new LineScanner(fd, { from: 0, to: fs.fstatSync(fd).size, lineBytesMax });
    while (scanner.next((bytes, start, end) => visit(bytes.subarray(start, end)))) {
      signal?.throwIfAborted();
      await new Promise(setImmediate);
    }
  } finally {
    fs.closeSync(fd);
  }
}
