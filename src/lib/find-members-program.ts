import { BACKSLASH, CLOSE_BRACE, COLON, COMMA, OPEN_BRACE, QUOTE } from "./json-bytes.ts";
import {
  ABOVE,
  ADD,
  AND,
  AT_LEAST,
  BLOCK,
  branch,
  branchIf,
  constant,
  END,
  EQUAL,
  get,
  I32,
  IF,
  IS_ZERO,
  load,
  loadByte,
  loadVector,
  LOOP,
  NOT_EQUAL,
  OR,
  RETURN,
  set,
  SHIFT_LEFT,
  SHIFT_RIGHT,
  SPLAT,
  store,
  SUBTRACT,
  tee,
  TRAILING_ZEROS,
  UNREACHABLE,
  V128,
  V_AND,
  V_ANY,
  V_BELOW,
  V_BITMASK,
  V_EQUAL,
  V_OR,
  V_XOR,
  wasmProgram,
  type Code,
} from "./wasm-code.ts";

/** What stands in memory of a key that is looked for, by offset: its bytes, which of them count, and its value's place. */
export const KeyField = { bytes: 0, mask: 16, length: 32, start: 36, end: 40 } as const;
export const KEY_BYTES = 48;
/** Of the bytes of a key. */
export const KEY_LENGTH_MAX = 16;
/** How far behind the end it may look. */
export const LOOKAHEAD_BYTES = 32;

/**
 * The WebAssembly of member-finder.ts: called with `at, to, keys, keysEnd` it goes through the JSON object at `at` and notes
 * where the values of its own members stand that have one of the keys; 0 is the start of one that is missing. There is one key
 * more behind `keysEnd`, for all others. Returns the place behind the object; 0 when it is none, is not whole before `to`, or
 * is too deep.
 */
export function findMembersProgram(): Uint8Array<ArrayBuffer> {
  return wasmProgram({
    parameters: [I32, I32, I32, I32],
    result: I32,
    locals: [I32, I32, I32, I32, I32, I32, V128, V128, V128, V128],
    body: findMembers(),
  });
}

// Variables, by their numbers.
const [AT, TO, KEYS, KEYS_END] = [0, 1, 2, 3] as const;
const [STATE, DEPTH, KINDS, BYTE, FROM, KEY] = [4, 5, 6, 7, 8, 9] as const;
const [BYTES, QUOTES, BACKSLASHES, SPACES] = [10, 11, 12, 13] as const;

// What is expected next. The lowest bit says that it is a key, the second one that the end of what was just opened will do.
const VALUE = 0;
const IS_KEY = 1;
const MAY_END = 2;
const COMMA_OR_END = 4;

/** One bit each says whether it is an object. */
const DEPTH_MAX = 31;
const VECTOR_BYTES = 16;
const LAST_BIT = 1 << 15;
const [TAB, CARRIAGE_RETURN, SPACE] = [0x09, 0x0d, 0x20] as const;
/** By which brackets differ from braces. */
const BRACE_BIT = 0x20;
const GIVE_UP: Code = [constant(0), RETURN];

function findMembers(): Code {
  return [
    [constant(QUOTE), SPLAT, set(QUOTES)],
    [constant(BACKSLASH), SPLAT, set(BACKSLASHES)],
    [constant(SPACE), SPLAT, set(SPACES)],
    forgetPlaces(),
    // One round for each thing that stands there: a key, a simple value, an opening, an end, a comma.
    LOOP,
    passSpace(),
    [get(STATE), IS_ZERO, isOwn(), AND, IF, get(KEY), get(AT), store(KeyField.start), END],
    BLOCK,
    [get(STATE), constant(COMMA_OR_END), EQUAL, IF, passComma(2), branch(1), END],
    [byteIs(QUOTE), IF, passString(), get(STATE), constant(IS_KEY), AND, IF, findKey(), passColon()],
    [constant(VALUE), set(STATE), branch(3), END, endValue(), branch(2), END],
    [isBracket(CLOSE_BRACE), get(STATE), constant(MAY_END), AND, IS_ZERO, IS_ZERO, AND, branchIf(0)],
    [get(STATE), constant(IS_KEY), AND, IF, GIVE_UP, END],
    [isBracket(OPEN_BRACE), IF, open(), branch(2), END],
    [passScalar(), endValue(), branch(1)],
    END,
    [close(), endValue(), branch(0)],
    [END, UNREACHABLE],
  ];
}

function forgetPlaces(): Code {
  return [
    [get(KEYS), set(KEY), LOOP],
    [get(KEY), constant(0), store(KeyField.start)],
    [get(KEY), constant(KEY_BYTES), ADD, tee(KEY), get(KEYS_END), NOT_EQUAL, branchIf(0), END],
  ];
}

function byteIs(byte: number): Code {
  return [get(BYTE), constant(byte), EQUAL];
}

/** Whether it is this brace, or the bracket of that side. */
function isBracket(brace: number): Code {
  return [get(BYTE), constant(BRACE_BIT), OR, constant(brace), EQUAL];
}

/** Whether what stands there is a member of the object itself. */
function isOwn(): Code {
  return [get(DEPTH), constant(1), EQUAL];
}

function advance(bytes: number): Code {
  return [get(AT), constant(bytes), ADD, set(AT)];
}

function giveUpAtEnd(): Code {
  return [get(AT), get(TO), AT_LEAST, IF, GIVE_UP, END];
}

/** To the next byte that is no white space. */
function passSpace(): Code {
  return [
    [LOOP, giveUpAtEnd()],
    [get(AT), loadByte(), tee(BYTE), constant(SPACE), EQUAL, byteIs(TAB), OR, byteIs(CARRIAGE_RETURN), OR],
    [IF, advance(1), branch(1), END, END],
  ];
}

/** If there is one, goes on with what follows it, to the beginning of the loop that is so many blocks out. */
function passComma(depth: number): Code {
  const next = [get(KINDS), constant(IS_KEY), AND, set(STATE)];
  return [byteIs(COMMA), IF, advance(1), next, branch(depth + 1), END];
}

function passString(): Code {
  const ends = [
    [get(BYTES), get(QUOTES), V_EQUAL],
    [get(BYTES), get(SPACES), V_BELOW, V_OR],
  ];
  const escapes = [get(BYTES), get(BACKSLASHES), V_EQUAL];
  return [
    [advance(1), get(AT), set(FROM)],
    [LOOP, giveUpAtEnd()],
    [get(AT), loadVector(), set(BYTES)],
    // Where nothing can end the string, escapes do not matter, unless the last one goes on behind these bytes.
    [ends, V_BITMASK, escapes, V_BITMASK, constant(LAST_BIT), AND, OR],
    [IS_ZERO, IF, advance(VECTOR_BYTES), branch(1), END],
    [get(AT), ends, escapes, V_OR, V_BITMASK, TRAILING_ZEROS, ADD, tee(AT), loadByte(), set(BYTE)],
    [byteIs(BACKSLASH), IF, advance(2), branch(1), END, END],
    [byteIs(QUOTE), IS_ZERO, get(AT), get(TO), AT_LEAST, OR, IF, GIVE_UP, END],
    advance(1),
  ];
}

/** Of an own member, the key that it has; the one behind all others when it is not looked for. */
function findKey(): Code {
  const length = [get(AT), constant(1), SUBTRACT, get(FROM), SUBTRACT];
  const differs = [
    [get(FROM), loadVector(), get(KEY), loadVector(KeyField.bytes), V_XOR],
    [get(KEY), loadVector(KeyField.mask), V_AND, V_ANY],
  ];
  return [
    [isOwn(), IF, get(KEYS), set(KEY), BLOCK, LOOP],
    [get(KEY), get(KEYS_END), EQUAL, branchIf(1)],
    [get(KEY), load(KeyField.length), length, EQUAL, IF, differs, IS_ZERO, branchIf(2), END],
    [get(KEY), constant(KEY_BYTES), ADD, set(KEY), branch(0)],
    [END, END, END],
  ];
}

function passColon(): Code {
  return [passSpace(), byteIs(COLON), IS_ZERO, IF, GIVE_UP, END, advance(1)];
}

function endValue(): Code {
  return [
    [constant(COMMA_OR_END), set(STATE)],
    [isOwn(), IF, get(KEY), get(AT), store(KeyField.end), END],
  ];
}

function open(): Code {
  const isObject = byteIs(OPEN_BRACE);
  return [
    [get(DEPTH), constant(DEPTH_MAX), AT_LEAST, IF, GIVE_UP, END],
    [get(DEPTH), constant(1), ADD, set(DEPTH)],
    [get(KINDS), constant(1), SHIFT_LEFT, isObject, OR, set(KINDS)],
    [isObject, constant(MAY_END), OR, set(STATE)],
    advance(1),
  ];
}

/** The end of an object or array; that of the outermost one is the end of it all. */
function close(): Code {
  const isOther = [byteIs(CLOSE_BRACE), get(KINDS), constant(1), AND, NOT_EQUAL];
  return [
    [isBracket(CLOSE_BRACE), IS_ZERO, isOther, OR, IF, GIVE_UP, END],
    [get(KINDS), constant(1), SHIFT_RIGHT, set(KINDS)],
    [advance(1), get(DEPTH), constant(1), SUBTRACT, tee(DEPTH), IS_ZERO, IF, get(AT), RETURN, END],
  ];
}

/** A number, true, false or null; what it says is not looked at. */
function passScalar(): Code {
  const isEnd = [byteIs(COMMA), isBracket(CLOSE_BRACE), OR, get(BYTE), constant(SPACE), ABOVE, IS_ZERO, OR];
  return [
    [get(AT), set(FROM)],
    [LOOP, giveUpAtEnd()],
    [get(AT), loadByte(), set(BYTE), byteIs(QUOTE), isBracket(OPEN_BRACE), OR, IF, GIVE_UP, END],
    [isEnd, IS_ZERO, IF, advance(1), branch(1), END, END],
    [get(AT), get(FROM), EQUAL, IF, GIVE_UP, END],
  ];
}
