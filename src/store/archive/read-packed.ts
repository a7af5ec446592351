import fs from "node:fs";
import { packedFrameBytesMax } from "../../format/limits.ts";
import { readBytes } from "../../lib/line-scanner.ts";
import { tempName } from "../../lib/temp-name.ts";
import { storeError } from "../errors.ts";
import {
  frameTableBytes,
  packedSuffix,
  parseFrameTable,
  tableFooterBytes,
  type Frame,
} from "./packed-form.ts";

/** Whether a path is that of a packed file of the archive. */
export function isPacked(file: string): boolean {
  return file.endsWith(packedSuffix);
}

/** The content of a packed file from byte `from` on, piece by piece. Throws `archive_damaged`. */
export function* readPacked(file: string, { from = 0 }: { from?: number } = {}): Generator<Buffer> {
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    for (const frame of readFrames(fd, file)) {
      if (frame.offset + frame.bytes <= from) continue;
      const content = unpackFrame(fd, frame, file);
      yield from > frame.offset ? content.subarray(from - frame.offset) : content;
    }
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * The content as an open file without a name, for readers that jump: it is gone when the descriptor is closed, also by a
 * kill. Costs the disk what the content is long while it is open, and no more memory than a frame.
 */
export function openPacked(file: string): number {
  const temp = tempName(file);
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
  const fd = fs.openSync(temp, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    fs.unlinkSync(temp);
    for (const piece of readPacked(file)) fs.writeFileSync(fd, piece);
    return fd;
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

/** Bytes of the content, from the table alone. */
export function packedContentBytes(file: string): number {
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    return readFrames(fd, file).reduce((sum, { bytes }) => sum + bytes, 0);
  } finally {
    fs.closeSync(fd);
  }
}

function readFrames(fd: number, file: string): Frame[] {
  const { size } = fs.fstatSync(fd);
  const footer = readBytes(fd, { offset: Math.max(0, size - tableFooterBytes), length: tableFooterBytes });
  const length = frameTableBytes(footer);
  if (length === undefined || length > size) throw damaged(file, "its table of frames is missing");
  const frames = parseFrameTable(readBytes(fd, { offset: size - length, length }), size - length);
  if (!frames || frames.some(({ bytes }) => bytes > packedFrameBytesMax))
    throw damaged(file, "its table of frames is wrong");
  return frames;
}

function unpackFrame(fd: number, { at, length, bytes }: Frame, file: string): Buffer {
  // Loaded only here: a process that lists sessions does not pay for it.
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
    throw damaged(file, `the frame at byte ${at} has another length than its table says`);
  return content;
}

function damaged(file: string, what: string, cause?: unknown): Error {
  return storeError("archive_damaged", `Cannot read archived file "${file}": ${what}`, {
    fields: { path: file },
    ...(cause !== undefined && { cause }),
  });
}
