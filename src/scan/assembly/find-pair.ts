// AssemblyScript, compiled to WebAssembly by scripts/compile-scan.ts. Its twin in TypeScript is in ../pair-finder.ts.

const VECTOR_BYTES: usize = 16;
/** Four vectors are compared before one question: is there a pair in any of them? */
const STEP_BYTES: usize = 4 * VECTOR_BYTES;

/**
 * The first address at or behind `from` where the byte `first` stands, with `second` and `third` at their distances behind
 * it, in either case. Returns `to` or more if there is none before `to`. Reads up to 63 bytes behind `to` and a distance.
 *
 * `caseBit` is always 0x20. It is a parameter because V8 makes a constant vector anew at each use, which takes half as
 * long again.
 */
export function findPair(
  from: usize,
  to: usize,
  first: u8,
  second: u8,
  distance: usize,
  third: u8,
  thirdDistance: usize,
  caseBit: u8,
): usize {
  const firsts = i8x16.splat(first);
  const seconds = i8x16.splat(second);
  const thirds = i8x16.splat(third);
  const cases = i8x16.splat(caseBit);
  for (; from < to; from += STEP_BYTES) {
    const a = both(from, firsts, distance, seconds, cases);
    const b = both(from + VECTOR_BYTES, firsts, distance, seconds, cases);
    const c = both(from + 2 * VECTOR_BYTES, firsts, distance, seconds, cases);
    const d = both(from + 3 * VECTOR_BYTES, firsts, distance, seconds, cases);
    if (!v128.any_true(v128.or(v128.or(a, b), v128.or(c, d)))) continue;
    // Most pairs are not of the word that is looked for. The third byte rules them out without a return to JavaScript.
    for (let at = from; at < from + STEP_BYTES; at += VECTOR_BYTES) {
      const pairs = both(at, firsts, distance, seconds, cases);
      const found = i8x16.bitmask(v128.and(pairs, same(at + thirdDistance, thirds, cases)));
      if (found) return at + ctz(found);
    }
  }
  return from;
}

/** Sets all bits of the bytes at `address` that are `first` and have `second` at `distance` behind them. */
function both(address: usize, first: v128, distance: usize, second: v128, cases: v128): v128 {
  return v128.and(same(address, first, cases), same(address + distance, second, cases));
}

/** Sets all bits of the bytes at `address` that are `wanted` in either case. */
function same(address: usize, wanted: v128, cases: v128): v128 {
  return i8x16.eq(v128.or(v128.load(address), cases), wanted);
}
