import path from "node:path";
import { writeFileAtomic } from "../lib/atomic-write.ts";
import { ensurePrivateDir } from "../lib/private-dir.ts";

/** Where the messages of each transcript are kept. */
export function messagesFile(indexDir: string): string {
  return path.join(indexDir, "usage.bin");
}

/** What a cache keeps: a few words, many numbers, and names that are not always needed. */
export interface CacheContent<Header> {
  header: Header;
  numbers: Float64Array;
  /** JSON, left unparsed. */
  names: Buffer;
}

/** A line of JSON, filled up with spaces so that the numbers behind it stand where a processor wants them, and names. */
export function joinContent(
  header: object,
  { numbers, names = "" }: { numbers: readonly Float64Array[]; names?: string },
): Buffer {
  const numbersLength = numbers.reduce((sum, { length }) => sum + length, 0);
  const json = Buffer.from(JSON.stringify({ ...header, numbersLength }));
  const padding = Buffer.alloc((8 - ((json.length + 1) % 8)) % 8, " ");
  const parts = numbers.map((each) => Buffer.from(each.buffer, each.byteOffset, each.byteLength));
  return Buffer.concat([json, padding, Buffer.from("\n"), ...parts, Buffer.from(names)]);
}

/** Throws where the bytes are no such file. */
export function splitContent<Header>(bytes: Buffer): CacheContent<Header> {
  const start = bytes.indexOf(10) + 1;
  const header = JSON.parse(bytes.toString("utf8", 0, start)) as Header & { numbersLength: number };
  const end = start + header.numbersLength * Float64Array.BYTES_PER_ELEMENT;
  if (!(end <= bytes.length)) throw new RangeError("the file is cut off");
  // A copy, because a buffer may begin anywhere and numbers may not.
  const { buffer, byteOffset } = bytes;
  const numbers = new Float64Array(buffer.slice(byteOffset + start, byteOffset + end) as ArrayBuffer);
  return { header, numbers, names: bytes.subarray(end) };
}

/** A full or read-only disk costs the next report a scan, nothing else. */
export function writeCacheFile(file: string, bytes: Buffer): void {
  try {
    ensurePrivateDir(path.dirname(file));
    writeFileAtomic(file, bytes);
  } catch {
    /* See above. */
  }
}
