import fs from "node:fs";
import { codeOf } from "../../lib/errors.ts";
import { findLastLines, readBytes, scanBufferBytes } from "../../lib/line-scanner.ts";
import { continuationBytes, wholeCharacters } from "../../lib/whole-characters.ts";

/** A bounded piece of an output: never cut inside a character, and honest about what is missing. */
export interface OutputText {
  text: string;
  /** Bytes of the file that the text leaves out. */
  truncatedBytes: number;
  /** Size of the file, with what was cut from its head. */
  totalBytes: number;
  /** The file is gone: somebody removed it, or put a link in its place. */
  missing: boolean;
}

export interface ReadOptions {
  stream: "stdout" | "stderr";
  bytesMax: number;
  /** Only the last so many lines; by default the head and the tail. */
  lastLines?: number | undefined;
}

/** What an output holds now, in at most so many bytes. */
export function readOutput(file: string, { bytesMax, lastLines: lines }: ReadOptions): OutputText {
  return lines === undefined ? readHeadAndTail(file, { bytesMax }) : readTail(file, { bytesMax, lines });
}

/**
 * The head and the tail of an output, in at most so many bytes; costs the same for 5 GB as for 5 KB. Where bytes are
 * left out, the text says how many.
 */
export function readHeadAndTail(file: string, { bytesMax }: { bytesMax: number }): OutputText {
  const read = (fd: number, { size, cut }: OutputFile): OutputText => {
    // Where the head was cut away, only the tail tells anything.
    const headBytes = cut > 0 || size <= bytesMax ? 0 : Math.floor(bytesMax / 2);
    const head = readPiece(fd, { from: 0, to: headBytes });
    const tail = readPiece(fd, { from: Math.max(cut, size - (bytesMax - headBytes)), to: size });
    const gap = tail.from - head.to;
    const text = `${head.text}${gap > 0 ? truncationMark(gap) : ""}${tail.text}`;
    return { text, truncatedBytes: size - lengthOf(head) - lengthOf(tail), totalBytes: size, missing: false };
  };
  return withOutputFile(file, read) ?? missingText;
}

/** The last bytes of an output, or its last lines. */
export function readTail(
  file: string,
  { bytesMax, lines }: { bytesMax: number; lines?: number | undefined },
): OutputText {
  const read = (fd: number, { size, cut }: OutputFile): OutputText => {
    const bytes = { from: Math.max(cut, size - bytesMax), to: size };
    const tail = readPiece(fd, bytes, lines === undefined ? undefined : (all) => lastLinesAt(all, lines));
    return { text: tail.text, truncatedBytes: size - lengthOf(tail), totalBytes: size, missing: false };
  };
  return withOutputFile(file, read) ?? missingText;
}

/**
 * What stands from `offset` on, at most so many bytes (at least four), and where to go on. A character that is not whole
 * yet is left for the next time, unless nothing more will come.
 */
export function readFrom(
  file: string,
  { offset, bytesMax, isFinal = false }: { offset: number; bytesMax: number; isFinal?: boolean },
): OutputText & { next: number } {
  const read = (fd: number, { size, cut }: OutputFile): OutputText & { next: number } => {
    // The file was replaced by a shorter one: begin again.
    const from = offset > size ? cut : Math.max(offset, cut);
    const to = Math.min(size, from + bytesMax);
    const piece = readPiece(fd, { from, to, isJoint: from === offset, isFinal: isFinal && to === size });
    const skipped = Math.max(0, piece.from - offset);
    const text = `${skipped > 0 ? truncationMark(skipped) : ""}${piece.text}`;
    return { text, truncatedBytes: skipped, totalBytes: size, missing: false, next: piece.to };
  };
  return withOutputFile(file, read) ?? { ...missingText, next: offset };
}

/** The same byte for byte, for who decodes or passes them on himself. */
export function readBytesFrom(
  file: string,
  { offset, bytesMax }: { offset: number; bytesMax: number },
): { bytes: Buffer; next: number } {
  const nothing = { bytes: Buffer.alloc(0), next: offset };
  const read = (fd: number, { size, cut }: OutputFile): { bytes: Buffer; next: number } => {
    const from = offset > size ? cut : Math.max(offset, cut);
    const bytes = readBytes(fd, { offset: from, length: Math.min(bytesMax, size - from) });
    const mark = from > offset ? Buffer.from(truncationMark(from - offset)) : nothing.bytes;
    return { bytes: Buffer.concat([mark, bytes]), next: from + bytes.length };
  };
  return withOutputFile(file, read) ?? nothing;
}

/** The byte at which the last so many lines of an output begin; 0 when it is gone. Reads no more than it needs. */
export function lastLinesOffset(file: string, lines: number): number {
  return withOutputFile(file, (fd, { size }) => findLastLines(fd, { from: 0, to: size, lines })) ?? 0;
}

/** How many lines an output has, without what was cut from its head; undefined when it is gone, or larger than this. */
export function countOutputLines(file: string, { bytesMax }: { bytesMax: number }): number | undefined {
  return withOutputFile(file, (fd, { size, cut }) => {
    if (size - cut > bytesMax) return undefined;
    let lines = 0;
    let last = NEWLINE;
    for (let at = cut; at < size;) {
      const bytes = readBytes(fd, { offset: at, length: Math.min(scanBufferBytes, size - at) });
      if (bytes.length === 0) break;
      lines += newlinesIn(bytes);
      last = bytes.at(-1)!;
      at += bytes.length;
    }
    return last === NEWLINE ? lines : lines + 1;
  });
}

// By index: an iterator takes thirty times as long, and a search for each costs more where lines are short.
function newlinesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === NEWLINE) lines++;
  return lines;
}

export function truncationMark(bytes: number): string {
  return `\n[output truncated: ${bytes} bytes]\n`;
}

/** Whether a line is ours: not printed by the task (which may forge it), but about its output. */
export function isTruncationMark(line: string): boolean {
  return /^\[output truncated: \d+ bytes\]$/.test(line);
}

export interface OutputFile {
  size: number;
  /** Bytes that were taken from the head while the task ran; they read as zeroes. */
  cut: number;
}

const missingText: OutputText = { text: "", truncatedBytes: 0, totalBytes: 0, missing: true };

/** What `read` makes of an output file; undefined when it is gone. */
export function withOutputFile<T>(file: string, read: (fd: number, output: OutputFile) => T): T | undefined {
  let fd: number;
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ELOOP") return undefined;
    throw error;
  }
  try {
    return read(fd, { size: fs.fstatSync(fd).size, cut: readCut(file) });
  } finally {
    fs.closeSync(fd);
  }
}

function readCut(file: string): number {
  try {
    return Number(fs.readFileSync(`${file}.cut`, "latin1")) || 0;
  } catch {
    return 0;
  }
}

/** Text and the bytes of the file that it stands for. */
interface Piece {
  text: string;
  from: number;
  to: number;
}

interface Range {
  from: number;
  to: number;
  /** The bytes before were given already, up to the end of a character. */
  isJoint?: boolean;
  /** Nothing more will come, so that what is no whole character now never will be one. */
  isFinal?: boolean;
}

// A range that begins or ends inside a character loses that character's bytes, not its neighbours.
function readPiece(fd: number, range: Range, startIn: (bytes: Buffer) => number = () => 0): Piece {
  const { from, to, isJoint = from === 0, isFinal = false } = range;
  const bytes = readBytes(fd, { offset: from, length: Math.max(0, to - from) });
  const start = Math.max(isJoint ? 0 : continuationBytes(bytes), startIn(bytes));
  const end = Math.max(start, isFinal ? bytes.length : wholeCharacters(bytes));
  return { text: bytes.toString("utf8", start, end), from: from + start, to: from + end };
}

function lengthOf({ from, to }: Piece): number {
  return to - from;
}

/** Where the last so many lines begin; an end of line at the very end closes the last one. */
function lastLinesAt(bytes: Buffer, count: number): number {
  let at = bytes.at(-1) === NEWLINE ? bytes.length - 1 : bytes.length;
  if (count === 0) return bytes.length;
  for (let line = 0; line < count; line++) {
    at = at === 0 ? -1 : bytes.lastIndexOf(NEWLINE, at - 1);
    if (at < 0) return 0;
  }
  return at + 1;
}

const NEWLINE = 10;
