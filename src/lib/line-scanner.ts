import fs from "node:fs";

/** Called for each line: bytes [start, end) without the newline, and where the line stands in the file. */
export type LineVisitor = (bytes: Buffer, start: number, end: number, line: LinePosition) => void;

export interface LinePosition {
  /** Byte offset of the line's first byte in the file. */
  offset: number;
  /** Whether a newline ends it; only the last line of a file may lack one. */
  terminated: boolean;
  /** The line is longer than the limit; its bytes are not given (start equals end), `length` says how many. */
  oversized: boolean;
  length: number;
}

export interface LineScannerOptions {
  from: number;
  /** Exclusive end; what is appended to the file later is not seen. */
  to: number;
  lineBytesMax: number;
  /** How much is read at a time. */
  chunkBytes?: number;
  /** Read into this instead of a new buffer, by one scanner at a time: for whoever scans thousands of files. */
  buffer?: Buffer | undefined;
}

/** Of a buffer for scanning: of smaller and larger ones a scan takes longer. */
export const scanBufferBytes: number = 1 << 20;
// On some processors a large read into the very start of an allocation is several times slower.
const READ_ALIGNMENT_BYTES = 64;
const NEWLINE = 10;

/**
 * Cuts a range of an open file into lines, one chunk a call, so that a caller may go on at once, let others
 * run in between, or stop. Holds one chunk in memory, or the longest line if that is more.
 */
export class LineScanner {
  readonly #fd: number;
  readonly #to: number;
  readonly #lineBytesMax: number;
  readonly #chunkBytes: number;
  // As long as the longest line so far, or a chunk.
  #buffer: Buffer;
  #have = 0;
  #readAt: number;
  // Bytes of an oversized line that were passed over so far; 0 when not inside one.
  #passed = 0;

  constructor(
    fd: number,
    { from, to, lineBytesMax, chunkBytes = scanBufferBytes, buffer }: LineScannerOptions,
  ) {
    this.#fd = fd;
    this.#to = to;
    this.#readAt = from;
    this.#lineBytesMax = lineBytesMax;
    this.#chunkBytes = Math.max(1, Math.min(chunkBytes, Math.max(1, to - from)));
    this.#buffer = buffer ?? scanBuffer(this.#chunkBytes);
  }

  /** Visits the lines of the next chunk; false when the range is done (its last line visited). */
  next(visit: LineVisitor): boolean {
    if (this.#have === this.#buffer.length) this.#grow();
    const room = Math.min(this.#buffer.length - this.#have, this.#chunkBytes);
    const wanted = Math.min(room, this.#to - this.#readAt);
    const got = wanted > 0 ? fs.readSync(this.#fd, this.#buffer, this.#have, wanted, this.#readAt) : 0;
    if (got === 0) {
      this.#finish(visit);
      return false;
    }
    const searched = this.#have;
    this.#have += got;
    this.#readAt += got;
    this.#visitWhole(visit, searched);
    return true;
  }

  // The first `searched` bytes are known to have no newline.
  #visitWhole(visit: LineVisitor, searched: number): void {
    const buffer = this.#buffer;
    const base = this.#readAt - this.#have;
    const wholeEnd = lastIndexOfNewline(buffer, searched, this.#have) + 1;
    let start = 0;
    while (start < wholeEnd) {
      const newline = buffer.indexOf(NEWLINE, Math.max(start, searched));
      if (this.#passed > 0) this.#visitOversized(visit, base + newline, true);
      else {
        const length = newline - start;
        const oversized = length > this.#lineBytesMax;
        visit(buffer, start, oversized ? start : newline, {
          offset: base + start,
          terminated: true,
          oversized,
          length,
        });
      }
      start = newline + 1;
    }
    buffer.copy(buffer, 0, start, this.#have);
    this.#have -= start;
    if (this.#passed > 0 || this.#have > this.#lineBytesMax) {
      this.#passed += this.#have;
      this.#have = 0;
    }
  }

  #visitOversized(visit: LineVisitor, endOffset: number, terminated: boolean): void {
    const length = this.#passed + (endOffset - (this.#readAt - this.#have));
    visit(this.#buffer, 0, 0, { offset: endOffset - length, terminated, oversized: true, length });
    this.#passed = 0;
  }

  #finish(visit: LineVisitor): void {
    if (this.#passed > 0) this.#visitOversized(visit, this.#readAt, false);
    else if (this.#have > 0) {
      const offset = this.#readAt - this.#have;
      visit(this.#buffer, 0, this.#have, { offset, terminated: false, oversized: false, length: this.#have });
    }
    this.#have = 0;
  }

  // One byte more than the longest line is enough: what does not fit then is passed over.
  #grow(): void {
    const larger = scanBuffer(Math.min(this.#buffer.length * 2, this.#lineBytesMax + 1));
    this.#buffer.copy(larger, 0, 0, this.#have);
    this.#buffer = larger;
  }
}

/** Visits all lines of the range at once; for more than some megabytes in a live process, let others run between chunks. */
export function scanLines(fd: number, range: LineScannerOptions, visit: LineVisitor): void {
  const scanner = new LineScanner(fd, range);
  while (scanner.next(visit)) {
    /* one chunk a step */
  }
}

let backwards: Buffer | undefined;

/** Where the line that contains byte `at - 1` begins: reads backwards, as little as it needs. */
export function findLineStart(fd: number, at: number): number {
  return findLastLines(fd, { from: 0, to: at + 1, lines: 1 });
}

/**
 * Where the last so many lines before byte `to` begin, the last of them with or without its newline. Where there are
 * fewer behind `from`, the start of the line that `from` is in.
 */
export function findLastLines(
  fd: number,
  { from, to, lines }: { from: number; to: number; lines: number },
): number {
  const window = (backwards ??= Buffer.allocUnsafeSlow(1 << 16));
  let found = 0;
  // A newline in the last place ends a line and begins none.
  for (let end = to - 1; end > from;) {
    const start = Math.max(from, end - window.length);
    let before = fs.readSync(fd, window, 0, end - start, start);
    while (before > 0) {
      const newline = window.lastIndexOf(NEWLINE, before - 1);
      if (newline >= 0 && ++found === lines) return start + newline + 1;
      before = newline;
    }
    end = start;
  }
  return from <= 0 ? 0 : findLineStart(fd, from);
}

/** Whether a line holds nothing but white space: no entry, and no fault either. */
export function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++)
    if (bytes[i] !== 0x20 && bytes[i] !== 0x0d && bytes[i] !== 0x09) return false;
  return true;
}

/** Exactly the bytes [offset, offset + length), fewer only at the end of the file. */
export function readBytes(
  fd: number,
  { offset, length, into }: { offset: number; length: number; into?: Buffer | undefined },
): Buffer {
  const bytes = into?.length === length ? into : (into?.subarray(0, length) ?? Buffer.allocUnsafe(length));
  let have = 0;
  while (have < length) {
    const got = fs.readSync(fd, bytes, have, length - have, offset + have);
    if (got === 0) break;
    have += got;
  }
  return have === length ? bytes : bytes.subarray(0, have);
}

function lastIndexOfNewline(buffer: Buffer, from: number, to: number): number {
  const found = buffer.lastIndexOf(NEWLINE, to - 1);
  return found < from ? -1 : found;
}

/** A buffer for large reads, which scanners may share, one after the other. */
export function scanBuffer(bytes: number = scanBufferBytes): Buffer {
  return Buffer.allocUnsafeSlow(bytes + READ_ALIGNMENT_BYTES).subarray(READ_ALIGNMENT_BYTES);
}
