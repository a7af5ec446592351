import fs from "node:fs";
import { codeOf } from "../../lib/errors.ts";
import { readBytes } from "../../lib/line-scanner.ts";

const BLOCK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** The byte at which the last so many lines of a file begin. Reads backwards, no more than it needs; 0 if it is gone. */
export function lastLinesOffset(file: string, lines: number): number {
  let fd: number;
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return 0;
    throw error;
  }
  try {
    return scanBack(fd, lines);
  } finally {
    fs.closeSync(fd);
  }
}

function scanBack(fd: number, lines: number): number {
  const { size } = fs.fstatSync(fd);
  let left = lines;
  for (let end = size; end > 0; end -= BLOCK_BYTES) {
    const start = Math.max(0, end - BLOCK_BYTES);
    const block = readBytes(fd, { offset: start, length: end - start });
    // The newline at the very end closes the last line, it does not begin another one.
    let at = end === size ? block.length - 1 : block.length;
    while ((at = block.subarray(0, at).lastIndexOf(NEWLINE)) >= 0) {
      left -= 1;
      if (left === 0) return start + at + 1;
    }
  }
  return 0;
}
