import { findPairProgram } from "./find-pair-program.ts";

/** Two small letters or digits, the second `distance` bytes behind the first. */
export interface BytePair {
  first: number;
  second: number;
  distance: number;
}

/** Set in small letters and digits, not in capitals. */
export const CASE_BIT = 0x20;
export const pairDistanceMax = 255;

/**
 * A buffer in which pairs of letters are found, in either case, faster than it can be filled: WebAssembly compares 64
 * bytes at a time, and of two rare letters at their distance there are so few that it seldom returns.
 */
export class PairFinder {
  readonly bytes: Buffer;
  readonly #find: FindPair;

  constructor(byteLength: number) {
    const fast = openFast(byteLength);
    this.bytes = fast?.bytes ?? Buffer.allocUnsafeSlow(byteLength);
    this.#find = fast?.find ?? findSlowly(this.bytes);
  }

  /** Where the first pair begins at or behind `from`, in either case; `to` or more when there is none before it. */
  find({ first, second, distance }: BytePair, from: number, to: number): number {
    return this.#find(from, to, first, second, distance);
  }
}

type FindPair = (from: number, to: number, first: number, second: number, distance: number) => number;

interface FastFinder {
  bytes: Buffer;
  find: FindPair;
}

// On some processors a large read into the very start of an allocation is several times slower.
const READ_ALIGNMENT_BYTES = 64;
const MARGIN_BYTES = pairDistanceMax + 64;
const PAGE_BYTES = 1 << 16;

// Undefined where WebAssembly is not to be had: under `node --jitless`, or where address space is limited.
function openFast(byteLength: number): FastFinder | undefined {
  try {
    const pages = Math.ceil((READ_ALIGNMENT_BYTES + byteLength + MARGIN_BYTES) / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: pages });
    const { exports } = new WebAssembly.Instance(compiled(), { own: { memory } });
    const findAt = exports["findPair"] as FindPair;
    const start = READ_ALIGNMENT_BYTES;
    return {
      bytes: Buffer.from(memory.buffer, start, byteLength),
      find: (from, to, ...pair) => findAt(start + from, start + to, ...pair) - start,
    };
  } catch {
    return undefined;
  }
}

let program: object | undefined;

function compiled(): object {
  return (program ??= new WebAssembly.Module(findPairProgram()));
}

// As much of it as is used here; the types of Node leave it to those of browsers.
declare const WebAssembly: {
  Module: new (code: Uint8Array) => object;
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer };
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
};

function findSlowly(bytes: Buffer): FindPair {
  return (from, to, first, second, distance) => {
    for (let at = from; at < to; at++)
      if ((bytes[at]! | CASE_BIT) === first && (bytes[at + distance]! | CASE_BIT) === second) return at;
    return to;
  };
}
