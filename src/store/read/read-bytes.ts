import fs from "node:fs";
import { readBytes } from "../../lib/line-scanner.ts";
import { openTranscriptFile } from "./open-transcript.ts";

const PIECE_BYTES = 256 * 1024;

/** A transcript as it stands in the file, an archived one as it stood there, up to the end that it has now. */
export function* readTranscriptBytes(file: string): Generator<Buffer> {
  const fd = openTranscriptFile(file);
  try {
    const { size } = fs.fstatSync(fd);
    for (let offset = 0; offset < size; offset += PIECE_BYTES)
      yield Buffer.from(readBytes(fd, { offset, length: Math.min(PIECE_BYTES, size - offset) }));
  } finally {
    fs.closeSync(fd);
  }
}
