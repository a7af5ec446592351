/** A seeded source of randomness (xoshiro128**): one seed gives one corpus, on every machine. */
export interface Random {
  /** A number in [0, 1). */
  fraction(): number;
  /** A whole number in [0, below). */
  below(below: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Standard normal. */
  gauss(): number;
  hex(length: number): string;
  base58(length: number): string;
  /** A version 4 UUID. */
  uuid(): string;
}

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

export function createRandom(seed: number): Random {
  const nextUint32 = createXoshiro(seed);
  const fraction = (): number => nextUint32() / 2 ** 32;
  const below = (limit: number): number => Math.floor(fraction() * limit);

  function hex(length: number): string {
    let digits = "";
    while (digits.length < length) digits += nextUint32().toString(16).padStart(8, "0");
    return digits.slice(0, length);
  }

  return {
    fraction,
    below,
    chance: (probability) => fraction() < probability,
    pick: (items) => items[below(items.length)]!,
    gauss: () => Math.sqrt(-2 * Math.log(1 - fraction())) * Math.cos(2 * Math.PI * fraction()),
    hex,
    base58: (length) => Array.from({ length }, () => BASE58[below(BASE58.length)]).join(""),
    uuid() {
      const digits = hex(32);
      const part = (start: number, end: number): string => digits.slice(start, end);
      return `${part(0, 8)}-${part(8, 12)}-4${part(13, 16)}-a${part(17, 20)}-${part(20, 32)}`;
    },
  };
}

function createXoshiro(seed: number): () => number {
  const state = expandSeed(seed);
  return () => {
    const result = Math.imul(rotateLeft(Math.imul(state[1]!, 5), 7), 9) >>> 0;
    const shifted = state[1]! << 9;
    state[2]! ^= state[0]!;
    state[3]! ^= state[1]!;
    state[1]! ^= state[2]!;
    state[0]! ^= state[3]!;
    state[2]! ^= shifted;
    state[3] = rotateLeft(state[3]!, 11);
    return result;
  };
}

// splitmix32, so that neighbouring seeds do not give neighbouring streams.
function expandSeed(seed: number): Int32Array {
  const state = new Int32Array(4);
  let counter = seed | 0;
  for (let index = 0; index < state.length; index += 1) {
    counter = (counter + 0x9e3779b9) | 0;
    let mixed = Math.imul(counter ^ (counter >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    state[index] = mixed ^ (mixed >>> 15);
  }
  return state;
}

function rotateLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
