/**
 * The WebAssembly of pair-finder.ts, put together here from its few instructions: a compiler for it would be one more tool
 * to trust. It exports `findPair(from, to, first, second, distance)` on the memory it is given: the first place at or behind
 * `from` where the byte `first` stands and, `distance` behind it, `second`, in either case; `to` or more when there is none
 * before that. It may look at 63 bytes behind `to + distance`.
 */
export function findPairProgram(): Uint8Array<ArrayBuffer> {
  const type = [FUNCTION_TYPE, list(PARAMETERS.map(() => I32)), list([I32])];
  const memory = [name("own"), name("memory"), IMPORTED_MEMORY, 0, 1];
  const body = bytesOf([list(LOCALS), findPair(), END]);
  return Uint8Array.from(
    bytesOf([
      [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, type),
      section(2, memory),
      section(3, 0),
      section(7, [name("findPair"), EXPORTED_FUNCTION, 0]),
      section(10, [unsigned(body.length), body]),
    ]),
  );
}

/** Bytes, in groups that only the reader needs. */
type Code = number | readonly Code[];

const FUNCTION_TYPE = 0x60;
const IMPORTED_MEMORY = 2;
const EXPORTED_FUNCTION = 0;
const I32 = 0x7f;
const V128 = 0x7b;

// Variables, by their numbers.
const [FROM, TO, FIRST, SECOND, DISTANCE] = [0, 1, 2, 3, 4] as const;
const PARAMETERS = [FROM, TO, FIRST, SECOND, DISTANCE];
const [SECOND_FROM, BITS] = [5, 6] as const;
const [FIRSTS, SECONDS, CASE_BITS] = [7, 8, 9] as const;
const FOUND = [10, 11, 12, 13] as const;
const LOCALS: readonly Code[] = [
  [2, I32],
  [3 + FOUND.length, V128],
];

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
    [CONTINUE, END, UNREACHABLE],
  ];
}

/** Of a vector of bytes, one with all bits set of those where a pair begins. */
function matches(offset: number): Code {
  const same = (at: number, wanted: number): Code => [
    [get(at), V_LOAD, 0, unsigned(offset)],
    [get(CASE_BITS), V_OR, get(wanted), V_EQUAL],
  ];
  return [same(FROM, FIRSTS), same(SECOND_FROM, SECONDS), V_AND];
}

/** Returns the place of the first pair of a vector, if it has one. */
function returnFirst(variable: number, offset: number): Code {
  const place = [get(FROM), constant(offset), ADD, get(BITS), TRAILING_ZEROS, ADD];
  return [get(variable), V_BITMASK, tee(BITS), IF, place, RETURN, END];
}

const LOOP: Code = [0x03, 0x40];
const IF: Code = [0x04, 0x40];
const CONTINUE: Code = [0x0c, 0];
const UNREACHABLE = 0x00;
const END = 0x0b;
const RETURN = 0x0f;
const AT_LEAST = 0x4f;
const TRAILING_ZEROS = 0x68;
const ADD = 0x6a;
const V_LOAD: Code = [0xfd, 0];
const SPLAT: Code = [0xfd, 15];
const V_EQUAL: Code = [0xfd, 35];
const V_AND: Code = [0xfd, 78];
const V_OR: Code = [0xfd, 80];
const V_ANY: Code = [0xfd, 83];
const V_BITMASK: Code = [0xfd, 100];

function get(variable: number): Code {
  return [0x20, variable];
}

function set(variable: number): Code {
  return [0x21, variable];
}

/** Sets a variable and leaves its value where it was. */
function tee(variable: number): Code {
  return [0x22, variable];
}

// Signed: the highest of seven bits is the sign, unless another byte follows.
function constant(value: number): Code {
  return [0x41, value < 64 ? value : [value | 0x80, 0]];
}

/** A section with one element. */
function section(id: number, element: Code): Code {
  const content = bytesOf([1, element]);
  return [id, unsigned(content.length), content];
}

function list(elements: readonly Code[]): Code {
  return [elements.length, elements];
}

function name(text: string): Code {
  return [text.length, [...Buffer.from(text, "latin1")]];
}

/** Seven bits a byte, the lowest first; the eighth says whether more follow. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >> 7)];
}

function bytesOf(code: Code): number[] {
  return typeof code === "number" ? [code] : code.flatMap(bytesOf);
}
