import fs from "node:fs";
import { lineBytesMax } from "../format/limits.ts";
import type { LineVisitor } from "../lib/line-scanner.ts";
import type { NeedleWord } from "./parse-query.ts";

const CHUNK_BYTES = 1 << 20;
// On some processors a large read into the very start of an allocation is several times slower.
const READ_ALIGNMENT_BYTES = 64;
const NEWLINE = 10;
const CASE_BIT = 0x20;

/**
 * Finds the lines of a file that may hold one of some words, in either case, about as fast as the file can be read: the
 * rarest letter of each word is looked for by memchr, and only there the word is compared. A line that holds the word as
 * index-form.ts cuts words is always found; one that holds it only inside other words mostly is not.
 */
export class NeedleFinder {
  readonly #needles: Needle[];

  constructor(words: readonly NeedleWord[]) {
    this.#needles = words.map(needleOf);
  }

  /** Visits the lines of [from, to) that hold a word, in order. `from` is the start of a line. */
  visitLines(fd: number, { from, to }: { from: number; to: number }, visit: LineVisitor): void {
    let buffer = (sharedBuffer ??= alignedBuffer());
    let have = 0;
    let readAt = from;
    for (;;) {
      const wanted = Math.min(buffer.length - have, to - readAt);
      const got = wanted > 0 ? fs.readSync(fd, buffer, have, wanted, readAt) : 0;
      readAt += got;
      have += got;
      const isEnd = got === 0;
      const end = isEnd ? have : buffer.lastIndexOf(NEWLINE, have - 1) + 1;
      const base = readAt - have;
      if (end > 0) this.#visitIn(buffer.subarray(0, end), base, visit);
      if (isEnd) return;
      buffer.copy(buffer, 0, end, have);
      have -= end;
      if (have === buffer.length) {
        if (have > lineBytesMax) return;
        // A line longer than the buffer.
        const larger = Buffer.allocUnsafeSlow(buffer.length * 2);
        buffer.copy(larger, 0, 0, have);
        buffer = larger;
      }
    }
  }

  #visitIn(bytes: Buffer, base: number, visit: LineVisitor): void {
    let at = this.#find(bytes, 0);
    while (at >= 0) {
      const start = at === 0 ? 0 : bytes.lastIndexOf(NEWLINE, at) + 1;
      const newline = bytes.indexOf(NEWLINE, at);
      const end = newline < 0 ? bytes.length : newline;
      const position = {
        offset: base + start,
        terminated: newline >= 0,
        oversized: false,
        length: end - start,
      };
      visit(bytes, start, end, position);
      at = newline < 0 ? -1 : this.#find(bytes, newline + 1);
    }
  }

  /** The first place of any word at or behind `from`. */
  #find(bytes: Buffer, from: number): number {
    let first = -1;
    for (const needle of this.#needles) {
      const at = findNeedle(bytes, needle, from);
      if (at >= 0 && (first < 0 || at < first)) first = at;
    }
    return first;
  }
}

// Lines are visited without a pause, so one buffer serves all finders of a thread.
let sharedBuffer: Buffer | undefined;

function alignedBuffer(): Buffer {
  return Buffer.allocUnsafeSlow(CHUNK_BYTES + READ_ALIGNMENT_BYTES).subarray(READ_ALIGNMENT_BYTES);
}

interface Needle {
  /** In small letters. */
  word: Buffer;
  isPrefix: boolean;
  /** Where its rarest character stands in it. */
  rarest: number;
  /** Where this character was last found, so that a search that goes on need not look again. */
  lower: Cursor;
  upper: Cursor | undefined;
}

interface Cursor {
  byte: number;
  bytes: Buffer | undefined;
  at: number;
}

function needleOf({ word: text, isPrefix }: NeedleWord): Needle {
  const word = Buffer.from(text, "latin1");
  let rarest = 0;
  for (let i = 1; i < word.length; i++) if (commonness(word[i]!) < commonness(word[rarest]!)) rarest = i;
  const byte = word[rarest]!;
  const isLetter = byte >= 0x61;
  return {
    word,
    isPrefix,
    rarest,
    lower: { byte, bytes: undefined, at: 0 },
    upper: isLetter ? { byte: byte & ~CASE_BIT, bytes: undefined, at: 0 } : undefined,
  };
}

// Of transcripts: English, code and JSON. The rarer, the further back.
const BY_FREQUENCY = "etaoinsrldcumpfhgybw0v1k23549687xjqz";

function commonness(byte: number): number {
  return BY_FREQUENCY.length - BY_FREQUENCY.indexOf(String.fromCharCode(byte));
}

function findNeedle(bytes: Buffer, needle: Needle, from: number): number {
  const { word, rarest, lower, upper } = needle;
  let at = from + rarest;
  for (;;) {
    const low = advance(lower, bytes, at);
    const up = upper ? advance(upper, bytes, at) : -1;
    const next = low < 0 ? up : up < 0 ? low : Math.min(low, up);
    if (next < 0 || next - rarest + word.length > bytes.length) return -1;
    const start = next - rarest;
    if (start >= from && isAt(bytes, word, start) && isWordAt(bytes, start, needle)) return start;
    at = next + 1;
  }
}

function advance(cursor: Cursor, bytes: Buffer, from: number): number {
  if (cursor.bytes !== bytes || (cursor.at >= 0 && cursor.at < from)) {
    cursor.bytes = bytes;
    cursor.at = bytes.indexOf(cursor.byte, from);
  }
  return cursor.at;
}

function isAt(bytes: Buffer, word: Buffer, at: number): boolean {
  for (let i = 0; i < word.length; i++) {
    const byte = bytes[at + i]!;
    const expected = word[i]!;
    if (byte !== expected && (expected < 0x61 || (byte | CASE_BIT) !== expected)) return false;
  }
  return true;
}

// A small letter or digit goes on with the word before it; a capital may be a hump. The same at the other end.
function isWordAt(bytes: Buffer, start: number, { word, isPrefix }: Needle): boolean {
  const goesOn = start > 0 && isWordByte(bytes[start - 1]!) && !isCapital(bytes[start]!);
  if (goesOn && !isEscape(bytes, start)) return false;
  const next = bytes[start + word.length];
  return isPrefix || next === undefined || !isWordByte(next) || isCapital(next);
}

function isWordByte(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || isCapital(byte) || (byte >= 0x61 && byte <= 0x7a);
}

function isCapital(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}

// In the line break of JSON, \n, the n is no letter of the word that follows; nor are the digits of \u0041.
function isEscape(bytes: Buffer, at: number): boolean {
  const backslash = 0x5c;
  return bytes[at - 2] === backslash || (bytes[at - 6] === backslash && bytes[at - 5] === 0x75);
}
