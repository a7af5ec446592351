import fs from "node:fs";
import type { Socket } from "node:net";
import { readBytes } from "../../../lib/line-scanner.ts";

/** Programs set up their screen when they start, and what is on it now was printed last. */
const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 192 * 1024;

/**
 * Waits for the host's first line, which says how much of the output is in the file, and gives the beginning and end of
 * that. What the socket has got behind the line stays in it. Undefined when the host is gone.
 */
export async function printedSoFar(socket: Socket, outputFile: string): Promise<string | undefined> {
  let got = Buffer.alloc(0);
  while (!got.includes("\n")) {
    if (socket.readableEnded || socket.destroyed) return undefined;
    const piece = socket.read() as Buffer | null;
    if (piece) got = Buffer.concat([got, piece]);
    else await new Promise<void>((resolve) => void socket.once("readable", resolve).once("close", resolve));
  }
  const end = got.indexOf("\n");
  if (end + 1 < got.length) socket.unshift(got.subarray(end + 1));
  const { from } = JSON.parse(got.toString("utf8", 0, end)) as { from: number };
  return readHeadAndTail(outputFile, from);
}

function readHeadAndTail(file: string, to: number): string {
  let fd: number;
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
  } catch {
    // Removed from outside: the program is still there to be looked at.
    return "";
  }
  try {
    const head = readBytes(fd, { offset: 0, length: Math.min(to, HEAD_BYTES) });
    const from = Math.max(head.length, to - TAIL_BYTES);
    return Buffer.concat([head, readBytes(fd, { offset: from, length: to - from })]).toString("utf8");
  } finally {
    fs.closeSync(fd);
  }
}
