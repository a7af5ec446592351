import { openWasm } from "../lib/open-wasm.ts";
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

function openFast(byteLength: number): FastFinder | undefined {
  const start = READ_ALIGNMENT_BYTES;
  const wasm = openWasm(findPairProgram, start + byteLength + MARGIN_BYTES);
  return (
    wasm && {
      bytes: Buffer.from(wasm.buffer, start, byteLength),
      find: (from, to, ...pair) => wasm.run(start + from, start + to, ...pair) - start,
    }
  );
}

function findSlowly(bytes: Buffer): FindPair {
  return (from, to, first, second, distance) => {
    for (let at = from; at < to; at++)
      if ((bytes[at]! | CASE_BIT) === first && (bytes[at + distance]! | CASE_BIT) === second) return at;
    return to;
  };
}
