import { compiledCode } from "./compiled-code.ts";

/** Two small letters or digits, the second `distance` bytes behind the first, and a third that rules most pairs out. */
export interface BytePair {
  first: number;
  second: number;
  distance: number;
  /** One of the other two if the word has no third letter behind the first. */
  third: number;
  thirdDistance: number;
}

/** Set in small letters and digits, not in capitals. */
export const CASE_BIT = 0x20;
export const pairDistanceMax = 255;

/**
 * A buffer in which pairs of letters are found, in either case. The compiled loop compares 64 bytes at a time, so it is
 * faster than the buffer can be filled. Two rare letters at their distance are so rare that it seldom returns.
 */
export class PairFinder {
  readonly bytes: Buffer;
  readonly #find: FindPair;

  constructor(byteLength: number, code: Uint8Array | undefined = compiledCode) {
    const compiled = code && openCompiled(code, byteLength);
    this.bytes = compiled?.bytes ?? Buffer.allocUnsafeSlow(byteLength);
    this.#find = compiled?.find ?? plainTwin(this.bytes);
  }

  /** Where the first pair begins at or behind `from`, in either case; `to` or more if there is none before `to`. */
  find({ first, second, distance, third, thirdDistance }: BytePair, from: number, to: number): number {
    return this.#find(from, to, first, second, distance, third, thirdDistance);
  }
}

type FindPair = (
  from: number,
  to: number,
  ...pair: readonly [number, number, number, number, number]
) => number;

// On some processors a large read into the very start of an allocation is several times slower.
const START = 64;
// The compiled loop reads this far behind what it searches.
const MARGIN_BYTES = pairDistanceMax + 64;
const PAGE_BYTES = 1 << 16;

/** Undefined where WebAssembly cannot be had: under `node --jitless`, or where address space is limited. */
function openCompiled(code: Uint8Array, byteLength: number): { bytes: Buffer; find: FindPair } | undefined {
  try {
    const pages = Math.ceil((START + byteLength + MARGIN_BYTES) / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: pages });
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory } });
    return {
      bytes: Buffer.from(memory.buffer, START, byteLength),
      find: (from, to, ...pair) => exports.findPair(START + from, START + to, ...pair, CASE_BIT) - START,
    };
  } catch {
    return undefined;
  }
}

function plainTwin(bytes: Buffer): FindPair {
  const isAt = (at: number, byte: number): boolean => (bytes[at]! | CASE_BIT) === byte;
  return (from, to, first, second, distance, third, thirdDistance) => {
    for (let at = from; at < to; at++)
      if (isAt(at, first) && isAt(at + distance, second) && isAt(at + thirdDistance, third)) return at;
    return to;
  };
}

// As much of it as is used here; the types of Node leave it to those of browsers.
declare const WebAssembly: {
  Module: new (code: Uint8Array) => object;
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer };
  Instance: new (
    module: object,
    imports: { env: { memory: object } },
  ) => { exports: { findPair(...parameters: number[]): number } };
};
