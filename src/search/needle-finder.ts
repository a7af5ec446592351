import fs from "node:fs";
import { lineBytesMax as usualMax } from "../format/limits.ts";
import type { LineVisitor } from "../lib/line-scanner.ts";
import { CASE_BIT, pairDistanceMax, PairFinder, type BytePair } from "../scan/pair-finder.ts";
import type { NeedleWord } from "./parse-query.ts";
import { mayBeText } from "./text-place.ts";
import { isCapital, isWordByte } from "./word-bytes.ts";

// What is read at once stays in the processor's cache until it has been looked through; nearly all lines fit four times.
const READ_BYTES = 1 << 20;
const CHUNK_BYTES = 4 * READ_BYTES;
const NEWLINE = 10;

/**
 * Finds the lines of a file that may hold one of some words, in either case, about as fast as the file can be read: the
 * two rarest letters of each word are looked for together, and only there the word is compared. A line is always found
 * if its searched text (entry-document.ts) holds the word as index-form.ts cuts words. A line that holds it only inside
 * other words or outside of searched text mostly is not.
 */
export class NeedleFinder {
  readonly #needles: Needle[];

  constructor(words: readonly NeedleWord[]) {
    this.#needles = words.map(needleOf);
  }

  /**
   * Visits the lines of [from, to) that hold a word, in order. `from` is the start of a line. Lines of more than
   * `lineBytesMax` are passed over.
   */
  visitLines(fd: number, { from, to, lineBytesMax = usualMax }: FinderRange, visit: LineVisitor): void {
    let chunk = (sharedChunk ??= new PairFinder(CHUNK_BYTES));
    let have = 0;
    let readAt = from;
    // In the middle of a line that is too long.
    let isPassing = false;
    for (;;) {
      const { bytes } = chunk;
      const wanted = Math.min(bytes.length - have, to - readAt, READ_BYTES);
      const got = wanted > 0 ? fs.readSync(fd, bytes, have, wanted, readAt) : 0;
      readAt += got;
      have += got;
      const isEnd = got === 0;
      const end = isEnd ? have : bytes.lastIndexOf(NEWLINE, have - 1) + 1;
      const start = isPassing && end > 0 ? bytes.indexOf(NEWLINE) + 1 : 0;
      const range = { start, end, base: readAt - have, lineBytesMax };
      if (end > start) this.#visitIn(chunk, range, visit);
      if (isEnd) return;
      isPassing &&= end === 0;
      bytes.copy(bytes, 0, end, have);
      have -= end;
      if (isPassing || have > lineBytesMax) {
        isPassing = true;
        have = 0;
      } else if (have === bytes.length) {
        // A line longer than the chunk. One byte more than the longest line tells that it is too long.
        chunk = new PairFinder(Math.min(have * 2, lineBytesMax + 1));
        bytes.copy(chunk.bytes, 0, 0, have);
      }
    }
  }

  #visitIn(
    chunk: PairFinder,
    { start: from, end, base, lineBytesMax }: ChunkRange,
    visit: LineVisitor,
  ): void {
    const { bytes } = chunk;
    for (const needle of this.#needles) needle.at = -1;
    let line = { start: from, end: from, isTerminated: true };
    let at = this.#find(chunk, from, end);
    while (at < end) {
      if (at >= line.end) line = lineAround(bytes, at, end);
      if (mayBeText(bytes, at, line)) {
        const length = line.end - line.start;
        const position = {
          offset: base + line.start,
          terminated: line.isTerminated,
          oversized: false,
          length,
        };
        if (length <= lineBytesMax) visit(bytes, line.start, line.end, position);
        at = line.end;
      }
      at = this.#find(chunk, at + 1, end);
    }
  }

  /** The first place of any word at or behind `from`; `end` when there is none. */
  #find(chunk: PairFinder, from: number, end: number): number {
    let first = end;
    for (const needle of this.#needles) {
      // What was found of one word is kept until the others have come so far.
      if (needle.at < from) needle.at = findNeedle(chunk, needle, { from, end });
      if (needle.at < first) first = needle.at;
    }
    return first;
  }
}

export interface FinderRange {
  from: number;
  to: number;
  lineBytesMax?: number;
}

/** Whole lines of a chunk, and where in the file the chunk begins. */
interface ChunkRange {
  start: number;
  end: number;
  base: number;
  lineBytesMax: number;
}

function lineAround(
  bytes: Buffer,
  at: number,
  end: number,
): { start: number; end: number; isTerminated: boolean } {
  const start = at === 0 ? 0 : bytes.lastIndexOf(NEWLINE, at) + 1;
  const newline = bytes.indexOf(NEWLINE, at);
  const isTerminated = newline >= 0 && newline < end;
  return { start, end: isTerminated ? newline : end, isTerminated };
}

// Lines are visited without a pause, so one chunk serves all finders of a thread.
let sharedChunk: PairFinder | undefined;

interface Needle {
  /** In small letters. */
  word: Buffer;
  isPrefix: boolean;
  /** Its two rarest letters, and where the first of them stands in it. */
  pair: BytePair;
  pairAt: number;
  /** Where the word was last found in a chunk; -1 when it was not looked for yet. */
  at: number;
}

function needleOf({ word: text, isPrefix }: NeedleWord): Needle {
  const word = Buffer.from(text, "latin1");
  const places = [...word.subarray(0, pairDistanceMax).keys()];
  const byRarity = places.sort((a, b) => commonness(word[a]!) - commonness(word[b]!));
  const [pairAt, other = pairAt] = byRarity.slice(0, 2).sort((a, b) => a - b) as [number, number?];
  const third = byRarity.slice(2).find((at) => at > pairAt) ?? pairAt;
  const pair = {
    first: word[pairAt]!,
    second: word[other]!,
    distance: other - pairAt,
    third: word[third]!,
    thirdDistance: third - pairAt,
  };
  return { word, isPrefix, pair, pairAt, at: -1 };
}

// Of transcripts: English, code and JSON. The rarer, the further back.
const BY_FREQUENCY = "etaoinsrldcumpfhgybw0v1k23549687xjqz";

function commonness(byte: number): number {
  return BY_FREQUENCY.length - BY_FREQUENCY.indexOf(String.fromCharCode(byte));
}

function findNeedle(chunk: PairFinder, needle: Needle, { from, end }: { from: number; end: number }): number {
  const { bytes } = chunk;
  const { word, pair, pairAt } = needle;
  const last = end - word.length + pairAt;
  for (let at = from + pairAt; at <= last; at++) {
    at = chunk.find(pair, at, last + 1);
    if (at > last) break;
    const start = at - pairAt;
    if (isAt(bytes, word, start) && isWordAt(bytes, start, { needle, end })) return start;
  }
  return end;
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
function isWordAt(bytes: Buffer, start: number, { needle, end }: { needle: Needle; end: number }): boolean {
  const goesOn = start > 0 && isWordByte(bytes[start - 1]!) && !isCapital(bytes[start]!);
  if (goesOn && !isEscape(bytes, start)) return false;
  const next = start + needle.word.length;
  return needle.isPrefix || next >= end || !isWordByte(bytes[next]!) || isCapital(bytes[next]!);
}

// In the line break of JSON, \n, the n is no letter of the word that follows; nor are the digits of \u0041.
function isEscape(bytes: Buffer, at: number): boolean {
  const backslash = 0x5c;
  return bytes[at - 2] === backslash || (bytes[at - 6] === backslash && bytes[at - 5] === 0x75);
}
