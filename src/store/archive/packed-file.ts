import fs from "node:fs";
import { packedFrameBytesMax } from "./limits.ts";
import { readBytes } from "../../lib/line-scanner.ts";
import { storeError } from "../errors.ts";
import { frameTableBytes, parseFrameTable, tableFooterBytes, type Frame } from "./packed-form.ts";

/** A file of frames, open to be read from any byte of its content. Close it. */
export interface PackedFile {
  readonly frames: readonly Frame[];
  /** A part of the content, piece by piece; without `bytes`, all that follows. Throws `archive_damaged`. */
  read(range: { at: number; bytes?: number }): Generator<Buffer>;
  close(): void;
}

/** Throws `archive_damaged` when its frames cannot be told. */
export function openPackedFile(file: string): PackedFile {
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    const known = recognise(fd, file);
    return {
      frames: known.frames,
      read: (range) => readRange(fd, file, { known, ...range }),
      close: () => fs.closeSync(fd),
    };
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

/** What is known of a packed file. It never changes, so this stays true as long as it is the same file. */
interface Known {
  identity: string;
  frames: readonly Frame[];
  last?: { frame: Frame; content: Buffer };
}

// Whoever reads many small files of a pack, one after the other, unpacks the frame that they share once.
let recent: Known | undefined;

function recognise(fd: number, file: string): Known {
  const { dev, ino, size, mtimeMs } = fs.fstatSync(fd);
  const identity = `${dev} ${ino} ${size} ${mtimeMs} ${file}`;
  if (recent?.identity !== identity) recent = { identity, frames: readFrames(fd, file, size) };
  return recent;
}

function readFrames(fd: number, file: string, size: number): Frame[] {
  const footer = readBytes(fd, { offset: Math.max(0, size - tableFooterBytes), length: tableFooterBytes });
  const length = frameTableBytes(footer);
  if (length === undefined || length > size) throw damaged(file, "its table of frames is missing");
  const frames = parseFrameTable(readBytes(fd, { offset: size - length, length }), size - length);
  if (!frames || frames.some(({ bytes }) => bytes > packedFrameBytesMax))
    throw damaged(file, "its table of frames is wrong");
  return frames;
}

function* readRange(
  fd: number,
  file: string,
  { known, at, bytes = Infinity }: { known: Known; at: number; bytes?: number },
): Generator<Buffer> {
  let left = bytes;
  for (const frame of known.frames) {
    if (frame.offset + frame.bytes <= at) continue;
    if (left === 0) return;
    if (known.last?.frame !== frame) known.last = { frame, content: unpackFrame(fd, frame, file) };
    const from = Math.max(0, at - frame.offset);
    const piece = known.last.content.subarray(from, from + left);
    left -= piece.length;
    yield piece;
  }
  if (left > 0 && bytes !== Infinity) throw damaged(file, `it ends before byte ${at + bytes} of its content`);
}

function unpackFrame(fd: number, { at, length, bytes }: Frame, file: string): Buffer {
  // Loaded only here: a process that finds an empty archive does not pay for it.
  const { zstdDecompressSync } = process.getBuiltinModule("node:zlib");
  let content: Buffer;
  try {
    content = zstdDecompressSync(readBytes(fd, { offset: at, length }), {
      maxOutputLength: Math.max(1, bytes),
    });
  } catch (cause) {
    throw damaged(file, `the frame at byte ${at} cannot be unpacked`, cause);
  }
  if (content.length !== bytes)
    throw damaged(file, `the frame at byte ${at} has another length than in its table`);
  return content;
}

export function damaged(file: string, what: string, cause?: unknown): Error {
  return storeError("archive_damaged", `Cannot read archived file "${file}": ${what}`, {
    fields: { path: file },
    ...(cause !== undefined && { cause }),
  });
}
