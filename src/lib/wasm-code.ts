/**
 * WebAssembly, put together from its instructions: a compiler for it would be one more tool to trust. A program has one
 * function for others, `run`, and works on the memory that it is given as `own.memory`.
 */
export function wasmProgram({ helpers = {}, ...run }: WasmProgram): Uint8Array<ArrayBuffer> {
  const functions = [run, ...Object.values(helpers)];
  const numbers = new Map(Object.keys(helpers).map((helper, index) => [helper, index + 1]));
  const memory = [text("own"), text("memory"), IMPORTED_MEMORY, 0, 1];
  return Uint8Array.from(
    bytesOf([
      [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, functions.map(typeOf)),
      section(2, [memory]),
      section(3, [...functions.keys()]),
      section(7, [[text("run"), EXPORTED_FUNCTION, 0]]),
      section(
        10,
        functions.map((each) => codeOf(each, numbers)),
      ),
    ]),
  );
}

export interface WasmProgram extends WasmFunction {
  /** Functions that `run` and they themselves may call by their names. */
  helpers?: Readonly<Record<string, WasmFunction>>;
}

export interface WasmFunction {
  parameters: readonly number[];
  result?: number;
  /** Types of the variables that are no parameters; their numbers follow on those of the parameters. */
  locals: readonly number[];
  body: Code;
}

/** Bytes, in groups that only the reader needs, and names of helpers for their numbers. */
export type Code = number | string | readonly Code[];

export const I32 = 0x7f;
export const F64 = 0x7c;
export const V128 = 0x7b;

const FUNCTION_TYPE = 0x60;
const IMPORTED_MEMORY = 2;
const EXPORTED_FUNCTION = 0;

export const BLOCK: Code = [0x02, 0x40];
export const LOOP: Code = [0x03, 0x40];
export const IF: Code = [0x04, 0x40];
export const ELSE = 0x05;
export const END = 0x0b;
export const RETURN = 0x0f;
export const DROP = 0x1a;
/** Of two values the first when a third is not zero. */
export const SELECT = 0x1b;
export const UNREACHABLE = 0x00;
export const IS_ZERO = 0x45;
export const EQUAL = 0x46;
export const NOT_EQUAL = 0x47;
export const LESS = 0x48;
export const BELOW = 0x49;
export const MORE = 0x4a;
export const ABOVE = 0x4b;
export const AT_LEAST = 0x4f;
export const LEADING_ZEROS = 0x67;
export const TRAILING_ZEROS = 0x68;
export const ADD = 0x6a;
export const SUBTRACT = 0x6b;
export const MULTIPLY = 0x6c;
export const DIVIDE = 0x6e;
export const AND = 0x71;
export const OR = 0x72;
export const XOR = 0x73;
export const SHIFT_LEFT = 0x74;
export const SHIFT_RIGHT = 0x76;
export const F_EQUAL = 0x61;
export const F_LESS = 0x63;
export const F_ADD = 0xa0;
export const F_SUBTRACT = 0xa1;
export const F_MULTIPLY = 0xa2;
export const F_MAX = 0xa5;
export const F_FROM_UNSIGNED = 0xb8;
/** Of a number that is none, or less than 0, there is no such whole number: it ends the program. */
export const UNSIGNED_FROM_F = 0xab;
export const SPLAT: Code = [0xfd, 15];
export const V_EQUAL: Code = [0xfd, 35];
export const V_BELOW: Code = [0xfd, 38];
export const V_AND: Code = [0xfd, 78];
export const V_OR: Code = [0xfd, 80];
export const V_XOR: Code = [0xfd, 81];
export const V_ANY: Code = [0xfd, 83];
export const V_BITMASK: Code = [0xfd, 100];
export const V_SUBTRACT: Code = [0xfd, 113];

export function get(variable: number): Code {
  return [0x20, variable];
}

export function set(variable: number): Code {
  return [0x21, variable];
}

/** Sets a variable and leaves its value where it was. */
export function tee(variable: number): Code {
  return [0x22, variable];
}

/** Out of as many blocks, or to the beginning of a loop; 0 is the innermost. */
export function branch(depth: number): Code {
  return [0x0c, depth];
}

export function branchIf(depth: number): Code {
  return [0x0d, depth];
}

/** Calls a helper with the values before it. */
export function call(helper: string): Code {
  return [0x10, helper];
}

// Of what stands `offset` bytes behind the address, however that is aligned.
export const load = (offset = 0): Code => [0x28, 0, unsigned(offset)];
export const loadByte = (offset = 0): Code => [0x2d, 0, unsigned(offset)];
export const store = (offset = 0): Code => [0x36, 0, unsigned(offset)];
export const loadF64 = (offset = 0): Code => [0x2b, 0, unsigned(offset)];
export const storeF64 = (offset = 0): Code => [0x39, 0, unsigned(offset)];
export const storeVector = (offset = 0): Code => [0xfd, 11, 0, unsigned(offset)];
export const loadVector = (offset = 0): Code => [0xfd, 0, 0, unsigned(offset)];

export function constant(value: number): Code {
  return [0x41, signed(value)];
}

export function constantF64(value: number): Code {
  return [0x44, [...new Uint8Array(Float64Array.of(value).buffer)]];
}

function typeOf({ parameters, result }: WasmFunction): Code {
  return [FUNCTION_TYPE, list(parameters), list(result === undefined ? [] : [result])];
}

function codeOf({ locals, body }: WasmFunction, helpers: ReadonlyMap<string, number>): Code {
  return sized([list(locals.map((local) => [1, local])), body, END], helpers);
}

function section(id: number, elements: readonly Code[]): Code {
  return [id, sized(list(elements))];
}

function sized(content: Code, helpers?: ReadonlyMap<string, number>): Code {
  const bytes = bytesOf(content, helpers);
  return [unsigned(bytes.length), bytes];
}

function list(elements: readonly Code[]): Code {
  return [elements.length, elements];
}

function text(name: string): Code {
  return [name.length, [...Buffer.from(name, "latin1")]];
}

/** Seven bits a byte, the lowest first; the eighth says whether more follow. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >> 7)];
}

// The same, but the highest of the last seven bits is the sign.
function signed(value: number): number[] {
  return value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}

function bytesOf(
  code: Code,
  helpers: ReadonlyMap<string, number> = new Map(),
  bytes: number[] = [],
): number[] {
  if (typeof code === "number") bytes.push(code);
  else if (typeof code === "string") bytes.push(helpers.get(code)!);
  else for (const part of code) bytesOf(part, helpers, bytes);
  return bytes;
}
