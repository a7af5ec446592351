/**
 * WebAssembly, put together from its instructions: a compiler for it would be one more tool to trust. A program has one
 * function, `run`, and works on the memory that it is given as `own.memory`.
 */
export function wasmProgram({ parameters, result, locals, body }: WasmFunction): Uint8Array<ArrayBuffer> {
  const type = [FUNCTION_TYPE, list(parameters), list([result])];
  const memory = [name("own"), name("memory"), IMPORTED_MEMORY, 0, 1];
  const code = bytesOf([list(locals.map((local) => [1, local])), body, END]);
  return Uint8Array.from(
    bytesOf([
      [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, type),
      section(2, memory),
      section(3, 0),
      section(7, [name("run"), EXPORTED_FUNCTION, 0]),
      section(10, [unsigned(code.length), code]),
    ]),
  );
}

export interface WasmFunction {
  parameters: readonly number[];
  result: number;
  /** Types of the variables that are no parameters; their numbers follow on those of the parameters. */
  locals: readonly number[];
  body: Code;
}

/** Bytes, in groups that only the reader needs. */
export type Code = number | readonly Code[];

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
export const UNREACHABLE = 0x00;
export const IS_ZERO = 0x45;
export const EQUAL = 0x46;
export const NOT_EQUAL = 0x47;
export const ABOVE = 0x4b;
export const AT_LEAST = 0x4f;
export const TRAILING_ZEROS = 0x68;
export const ADD = 0x6a;
export const SUBTRACT = 0x6b;
export const AND = 0x71;
export const OR = 0x72;
export const XOR = 0x73;
export const SHIFT_LEFT = 0x74;
export const F_ADD = 0xa0;
export const F_MULTIPLY = 0xa2;
export const F_FROM_UNSIGNED = 0xb8;
export const SPLAT: Code = [0xfd, 15];
export const V_EQUAL: Code = [0xfd, 35];
export const V_BELOW: Code = [0xfd, 38];
export const V_AND: Code = [0xfd, 78];
export const V_OR: Code = [0xfd, 80];
export const V_XOR: Code = [0xfd, 81];
export const V_ANY: Code = [0xfd, 83];
export const V_BITMASK: Code = [0xfd, 100];

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

// Of what stands `offset` bytes behind the address, however that is aligned.
export const load = (offset = 0): Code => [0x28, 0, unsigned(offset)];
export const loadByte = (offset = 0): Code => [0x2d, 0, unsigned(offset)];
export const store = (offset = 0): Code => [0x36, 0, unsigned(offset)];
export const storeF64 = (offset = 0): Code => [0x39, 0, unsigned(offset)];
export const loadVector = (offset = 0): Code => [0xfd, 0, 0, unsigned(offset)];

export function constant(value: number): Code {
  return [0x41, signed(value)];
}

export function constantF64(value: number): Code {
  return [0x44, [...new Uint8Array(Float64Array.of(value).buffer)]];
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

// The same, but the highest of the last seven bits is the sign.
function signed(value: number): number[] {
  return value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}

function bytesOf(code: Code): number[] {
  return typeof code === "number" ? [code] : code.flatMap(bytesOf);
}
