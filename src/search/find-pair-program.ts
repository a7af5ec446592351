import {
  ADD,
  AT_LEAST,
  branch,
  constant,
  END,
  get,
  I32,
  IF,
  loadVector,
  LOOP,
  RETURN,
  set,
  SPLAT,
  tee,
  TRAILING_ZEROS,
  UNREACHABLE,
  V128,
  V_AND,
  V_ANY,
  V_BITMASK,
  V_EQUAL,
  V_OR,
  wasmProgram,
  type Code,
} from "../lib/wasm-code.ts";

/**
 * The WebAssembly of pair-finder.ts: called with `from, to, first, second, distance, third, thirdDistance` it returns the
 * first place at or behind `from` where the byte `first` stands and, at their distances behind it, `second` and `third`, in
 * either case; `to` or more when there is none before that. It may look at 63 bytes behind `to` and either distance.
 */
export function findPairProgram(): Uint8Array<ArrayBuffer> {
  return wasmProgram({
    parameters: PARAMETERS.map(() => I32),
    result: I32,
    locals: LOCALS,
    body: findPair(),
  });
}

// Variables, by their numbers.
const [FROM, TO, FIRST, SECOND, DISTANCE, THIRD, THIRD_DISTANCE] = [0, 1, 2, 3, 4, 5, 6] as const;
const PARAMETERS = [FROM, TO, FIRST, SECOND, DISTANCE, THIRD, THIRD_DISTANCE];
const [SECOND_FROM, THIRD_FROM, BITS] = [7, 8, 9] as const;
const [FIRSTS, SECONDS, THIRDS, CASE_BITS] = [10, 11, 12, 13] as const;
const FOUND = [14, 15, 16, 17] as const;
const LOCALS = [I32, I32, I32, V128, V128, V128, V128, ...FOUND.map(() => V128)];

const VECTOR_BYTES = 16;
const CASE_BIT = 0x20;

// A vector is sixteen bytes; four of them are compared before anybody asks whether one has a pair. Only then the third byte
// is looked at: it spares the way back to the caller, who would find most pairs not to be of his word.
function findPair(): Code {
  const found = FOUND.map((variable, index) => [pairs(index * VECTOR_BYTES), tee(variable)]);
  const returnFound = FOUND.map((variable, index) => returnFirst(variable, index * VECTOR_BYTES));
  return [
    [get(FIRST), SPLAT, set(FIRSTS)],
    [get(SECOND), SPLAT, set(SECONDS)],
    [get(THIRD), SPLAT, set(THIRDS)],
    [constant(CASE_BIT), SPLAT, set(CASE_BITS)],
    LOOP,
    [get(FROM), get(TO), AT_LEAST, IF, get(FROM), RETURN, END],
    [get(FROM), get(DISTANCE), ADD, set(SECOND_FROM)],
    [found, V_OR, V_OR, V_OR, V_ANY, IF],
    [get(FROM), get(THIRD_DISTANCE), ADD, set(THIRD_FROM)],
    [returnFound, END],
    [get(FROM), constant(VECTOR_BYTES * FOUND.length), ADD, set(FROM)],
    [branch(0), END, UNREACHABLE],
  ];
}

/** Of a vector of bytes, one with all bits set of those where a pair begins. */
function pairs(offset: number): Code {
  return [same(FROM, FIRSTS, offset), same(SECOND_FROM, SECONDS, offset), V_AND];
}

function same(at: number, wanted: number, offset: number): Code {
  return [
    [get(at), loadVector(offset)],
    [get(CASE_BITS), V_OR, get(wanted), V_EQUAL],
  ];
}

/** Returns the place of the first pair of a vector that has its third byte, if there is one. */
function returnFirst(variable: number, offset: number): Code {
  const place = [get(FROM), constant(offset), ADD, get(BITS), TRAILING_ZEROS, ADD];
  const whole = [get(variable), same(THIRD_FROM, THIRDS, offset), V_AND];
  return [whole, V_BITMASK, tee(BITS), IF, place, RETURN, END];
}
