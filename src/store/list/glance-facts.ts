import { lineBytesMax } from "../../format/limits.ts";
import { findLineStart, readBytes, scanBuffer, scanBufferBytes } from "../../lib/line-scanner.ts";
import { FactGatherer, type StatedFacts } from "./fact-gatherer.ts";

const WINDOW_BYTES = 1 << 14;
/** Most sessions begin with a short prompt. */
const HEAD_WINDOW_BYTES = 1 << 13;
/** Lines of the tail up to this length are all looked at: titles, tags and times are short. */
const SHORT_LINE_BYTES = 1024;
/** And the last few whatever their length: one of them says when and where the session was last. */
const LAST_LINES = 3;
/** Where the first prompt is not looked for any more. */
const HEAD_BYTES_MAX = scanBufferBytes;
const NEWLINE = 10;

/**
 * Titles, times and the first prompt from the two ends of a file of so many bytes, in constant time. Counts are not
 * known. The client repeats its titles at every turn, so they stand near the end.
 */
export function glanceAtFacts(fd: number, size: number): StatedFacts {
  const gatherer = new FactGatherer();
  if (size <= 2 * WINDOW_BYTES) visitAll(read(fd, { offset: 0, length: size }), gatherer);
  else {
    glanceAtHead(fd, gatherer);
    glanceAtTail(fd, size, gatherer);
  }
  return gatherer.facts;
}

// Up to the first prompt; what follows it tells nothing that the tail does not tell better. A line that does not fit
// is read again with what follows it, into a larger window.
function glanceAtHead(fd: number, gatherer: FactGatherer): void {
  let offset = 0;
  for (let length = HEAD_WINDOW_BYTES; length <= HEAD_BYTES_MAX; length *= 4) {
    const bytes = read(fd, { offset, length });
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      gatherer.visit(bytes, start, end);
      if (gatherer.facts.firstPrompt !== undefined) return;
      start = end + 1;
    }
    offset += start;
  }
}

function glanceAtTail(fd: number, size: number, gatherer: FactGatherer): void {
  const nodesBefore = gatherer.nodes;
  const windowStart = size - WINDOW_BYTES;
  const bytes = read(fd, { offset: windowStart, length: WINDOW_BYTES });
  const ends = lineEnds(bytes);
  // What stands before the first newline is cut, and passed over as no entry.
  let start = 0;
  let linesLeft = ends.length;
  for (const end of ends) {
    if (end - start <= SHORT_LINE_BYTES || linesLeft <= LAST_LINES) gatherer.visit(bytes, start, end);
    start = end + 1;
    linesLeft--;
  }
  if (gatherer.nodes > nodesBefore) return;
  // No whole node among them: the last one is longer than the window, or stands before much bookkeeping.
  const offset = findLineStart(fd, windowStart);
  if (size - offset <= lineBytesMax) visitAll(read(fd, { offset, length: size - offset }), gatherer);
}

function visitAll(bytes: Buffer, gatherer: FactGatherer): void {
  let start = 0;
  for (const end of lineEnds(bytes)) {
    gatherer.visit(bytes, start, end);
    start = end + 1;
  }
}

function lineEnds(bytes: Buffer): number[] {
  const ends: number[] = [];
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, end + 1)) ends.push(end);
  // A last line without a newline.
  if ((ends.at(-1) ?? -1) < bytes.length - 1) ends.push(bytes.length);
  return ends;
}

// One window serves all files: a list of thousands would spend more on allocating than on reading.
let window: Buffer | undefined;

function read(fd: number, place: { offset: number; length: number }): Buffer {
  window ??= scanBuffer();
  return readBytes(fd, { ...place, into: place.length <= window.length ? window : undefined });
}
