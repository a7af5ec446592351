import { openWasm } from "../lib/open-wasm.ts";
import { findPairProgram } from "./find-pair-program.ts";

/** Two small letters or digits, the second `distance` bytes behind the first, and a third one that tells most of them apart. */
export interface BytePair {
  first: number;
  second: number;
  distance: number;
  /** At its distance behind the first; of a word with less letters, one of the two. */
  third: number;
  thirdDistance: number;
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
  find({ first, second, distance, third, thirdDistance }: BytePair, from: number, to: number): number {
    return this.#find(from, to, first, second, distance, third, thirdDistance);
  }
}

type FindPair = (
  from: number,
  to: number,
  ...pair: readonly [number, number, number, number, number]
) => number;

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
  const isAt = (at: number, byte: number): boolean => (bytes[at]! | CASE_BIT) === byte;
  return (from, to, first, second, distance, third, thirdDistance) => {
    for (let at = from; at < to; at++)
      if (isAt(at, first) && isAt(at + distance, second) && isAt(at + thirdDistance, third)) return at;
    return to;
  };
}
