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
 * The WebAssembly of pair-finder.ts: called with `from, to, first, second, distance` it returns the first place at or behind
 * `from` where the byte `first` stands and, `distance` behind it, `second`, in either case; `to` or more when there is none
 * before that. It may look at 63 bytes behind `to + distance`.
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
const [FROM, TO, FIRST, SECOND, DISTANCE] = [0, 1, 2, 3, 4] as const;
const PARAMETERS = [FROM, TO, FIRST, SECOND, DISTANCE];
const [SECOND_FROM, BITS] = [5, 6] as const;
const [FIRSTS, SECONDS, CASE_BITS] = [7, 8, 9] as const;
const FOUND = [10, 11, 12, 13] as const;
const LOCALS = [I32, I32, V128, V128, V128, ...FOUND.map(() => V128)];

const VECTOR_BYTES = 16;
const CASE_BIT = 0x20;

// A vector is sixteen bytes; four of them are compared before anybody asks whether one has a pair.
function findPair(): Code {
  const found = FOUND.map((variable, index) => [matches(index * VECTOR_BYTES), tee(variable)]);
  const returnFound = FOUND.map((variable, index) => returnFirst(variable, index * VECTOR_BYTES));
  return [
    [get(FIRST), SPLAT, set(FIRSTS)],
    [get(SECOND), SPLAT, set(SECONDS)],
    [constant(CASE_BIT), SPLAT, set(CASE_BITS)],
    LOOP,
    [get(FROM), get(TO), AT_LEAST, IF, get(FROM), RETURN, END],
    [get(FROM), get(DISTANCE), ADD, set(SECOND_FROM)],
    [found, V_OR, V_OR, V_OR, V_ANY, IF, returnFound, END],
    [get(FROM), constant(VECTOR_BYTES * FOUND.length), ADD, set(FROM)],
    [branch(0), END, UNREACHABLE],
  ];
}

/** Of a vector of bytes, one with all bits set of those where a pair begins. */
function matches(offset: number): Code {
  const same = (at: number, wanted: number): Code => [
    [get(at), loadVector(offset)],
    [get(CASE_BITS), V_OR, get(wanted), V_EQUAL],
  ];
  return [same(FROM, FIRSTS), same(SECOND_FROM, SECONDS), V_AND];
}

/** Returns the place of the first pair of a vector, if it has one. */
function returnFirst(variable: number, offset: number): Code {
  const place = [get(FROM), constant(offset), ADD, get(BITS), TRAILING_ZEROS, ADD];
  return [get(variable), V_BITMASK, tee(BITS), IF, place, RETURN, END];
}
