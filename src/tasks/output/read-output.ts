import fs from "node:fs";
import { codeOf } from "../../lib/errors.ts";
import { readBytes } from "../../lib/line-scanner.ts";

/** A bounded piece of an output: never cut inside a character, and honest about what is missing. */
export interface OutputText {
  text: string;
  /** Bytes of the file that the text leaves out in its middle. */
  truncatedBytes: number;
  /** Size of the file, with what was cut from its head. */
  totalBytes: number;
  /** The file is gone: somebody removed it. */
  missing: boolean;
}

/**
 * The head and the tail of an output, in at most so many bytes; costs the same for 5 GB as for 5 KB. Where bytes are
 * left out, the text says how many.
 */
export function readHeadAndTail(file: string, { bytesMax }: { bytesMax: number }): OutputText {
  return withFile(file, (fd, { size, cut }) => {
    const available = size - cut;
    if (available <= bytesMax) return whole(readText(fd, { from: cut, to: size }), { size, cut });
    const half = Math.floor(bytesMax / 2);
    // Where the head was cut away, only the tail tells anything.
    const head = cut > 0 ? "" : readText(fd, { from: 0, to: half });
    const tailFrom = size - (cut > 0 ? bytesMax : half);
    const tail = readText(fd, { from: tailFrom, to: size });
    const truncatedBytes = size - Buffer.byteLength(head) - Buffer.byteLength(tail);
    return {
      text: `${head}${truncationMark(truncatedBytes)}${tail}`,
      truncatedBytes,
      totalBytes: size,
      missing: false,
    };
  });
}

/** The last bytes of an output, or its last lines. */
export function readTail(
  file: string,
  { bytesMax, lines }: { bytesMax: number; lines?: number | undefined },
): OutputText {
  return withFile(file, (fd, { size, cut }) => {
    const from = Math.max(cut, size - bytesMax);
    let text = readText(fd, { from, to: size });
    if (lines !== undefined) text = lastLines(text, lines);
    return { text, truncatedBytes: size - Buffer.byteLength(text), totalBytes: size, missing: false };
  });
}

/** What stands from `offset` on, at most so many bytes, and where to go on; whole characters only. */
export function readFrom(
  file: string,
  { offset, bytesMax }: { offset: number; bytesMax: number },
): OutputText & { next: number } {
  let next = offset;
  const read = withFile(file, (fd, { size, cut }) => {
    // The file was replaced by a shorter one: begin again.
    const from = offset > size ? cut : Math.max(offset, cut);
    const bytes = readBytes(fd, { offset: from, length: Math.min(bytesMax, size - from) });
    const end = from + bytes.length < size ? wholeCharacters(bytes) : bytes.length;
    next = from + end;
    const skipped = Math.max(0, from - offset);
    const text = `${skipped > 0 ? truncationMark(skipped) : ""}${bytes.toString("utf8", 0, end)}`;
    return { text, truncatedBytes: skipped, totalBytes: size, missing: false };
  });
  return { ...read, next };
}

export function truncationMark(bytes: number): string {
  return `\n[output truncated: ${bytes} bytes]\n`;
}

interface OutputFile {
  size: number;
  /** Bytes that were taken from the head while the task ran; they read as zeroes. */
  cut: number;
}

function withFile(file: string, read: (fd: number, output: OutputFile) => OutputText): OutputText {
  let fd: number;
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { text: "", truncatedBytes: 0, totalBytes: 0, missing: true };
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

function whole(text: string, { size, cut }: OutputFile): OutputText {
  return {
    text: cut > 0 ? `${truncationMark(cut)}${text}` : text,
    truncatedBytes: cut,
    totalBytes: size,
    missing: false,
  };
}

// A range that begins or ends inside a character loses that character's bytes, not its neighbours.
function readText(fd: number, { from, to }: { from: number; to: number }): string {
  const bytes = readBytes(fd, { offset: from, length: to - from });
  return bytes.toString("utf8", from > 0 ? continuationBytes(bytes) : 0, wholeCharacters(bytes));
}

/** Bytes at the start of a piece that belong to a character before it. */
function continuationBytes(bytes: Buffer): number {
  let count = 0;
  while (count < 3 && count < bytes.length && (bytes[count]! & 0xc0) === 0x80) count++;
  return count;
}

/** How many bytes of the piece are whole characters: all, or up to a character that is cut off at the end. */
function wholeCharacters(bytes: Buffer): number {
  let at = bytes.length - 1;
  while (at >= 0 && at > bytes.length - 4 && (bytes[at]! & 0xc0) === 0x80) at--;
  if (at < 0) return bytes.length;
  const lead = bytes[at]!;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return at + length > bytes.length ? at : bytes.length;
}

function lastLines(text: string, count: number): string {
  let at = text.endsWith("\n") ? text.length - 1 : text.length;
  for (let line = 0; line < count; line++) {
    at = text.lastIndexOf("\n", at - 1);
    if (at <= 0) return at === 0 && line + 1 === count ? text.slice(1) : text;
  }
  return text.slice(at + 1);
}
