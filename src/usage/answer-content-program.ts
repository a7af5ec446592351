import { COLON, OPEN_BRACE, QUOTE } from "../lib/json-bytes.ts";
import {
  ADD,
  AND,
  AT_LEAST,
  BLOCK,
  branch,
  branchIf,
  call,
  constant,
  END,
  EQUAL,
  get,
  I32,
  IF,
  IS_ZERO,
  LEADING_ZEROS,
  load,
  loadByte,
  loadVector,
  LOOP,
  NOT_EQUAL,
  OR,
  RETURN,
  set,
  SPLAT,
  SUBTRACT,
  tee,
  TRAILING_ZEROS,
  V128,
  V_AND,
  V_BITMASK,
  V_EQUAL,
  type Code,
  type WasmFunction,
} from "../lib/wasm-code.ts";

const VECTOR_BYTES = 16;
const RETURN_CLOSER: Code = [constant(-1), RETURN];

/**
 * Called with where a content begins and ends, with its brackets, it returns how many bytes that says, without the signature
 * of its thinking; -1 when that takes a closer look, because it is more than one block or written in an unusual way.
 */
export function spokenBytes(): WasmFunction {
  const [START, END_AT, SIGNATURE] = [0, 1, 2] as const;
  const block: Code = [get(END_AT), get(START), SUBTRACT];
  const before = (variable: number, text: string): Code => [
    [get(variable), constant(text.length), SUBTRACT, set(AT)],
    isText(AT, text),
  ];
  const AT = 3;
  return {
    parameters: [I32, I32],
    result: I32,
    locals: [I32, I32],
    body: [
      [get(START), get(END_AT), call("isOneBlock"), IS_ZERO, IF, RETURN_CLOSER, END],
      [isText(START, '[{"type":"thinking"'), IS_ZERO, IF, block, RETURN, END],
      // The signature is base64, and the last in its block.
      [before(END_AT, '"}]'), IS_ZERO, IF, RETURN_CLOSER, END],
      [get(AT), call("findQuoteBefore"), constant(1), ADD, set(SIGNATURE)],
      [before(SIGNATURE, '"signature":"'), IS_ZERO, IF, RETURN_CLOSER, END],
      [block, get(END_AT), constant('"}]'.length), SUBTRACT, get(SIGNATURE), SUBTRACT, SUBTRACT],
    ],
  };
}

/** 1 when the text stands at the place in a variable. */
function isText(variable: number, text: string): Code {
  const bytes = Buffer.from(text, "latin1");
  const parts: Code[] = [];
  let at = 0;
  for (; at + 4 <= bytes.length; at += 4)
    parts.push([get(variable), load(at), constant(bytes.readInt32LE(at)), EQUAL]);
  for (; at < bytes.length; at++) parts.push([get(variable), loadByte(at), constant(bytes[at]!), EQUAL]);
  return parts.map((part, index) => (index === 0 ? part : [part, AND]));
}

/** Called with a place behind a quote, it returns that of the quote. */
export function findQuoteBefore(): WasmFunction {
  const [AT, BITS] = [0, 1] as const;
  return {
    parameters: [I32],
    result: I32,
    locals: [I32],
    body: [
      [BLOCK, LOOP],
      [get(AT), constant(VECTOR_BYTES), SUBTRACT, tee(AT), loadVector()],
      [constant(QUOTE), SPLAT, V_EQUAL, V_BITMASK, tee(BITS), IS_ZERO, branchIf(0)],
      [END, END],
      [get(AT), constant(31), ADD, get(BITS), LEADING_ZEROS, SUBTRACT],
    ],
  };
}

/**
 * Called with where a content begins and ends, it returns 1 when that is one block. `{"` cannot stand inside a text, so these are all
 * objects: with one that is no value of a key there are several blocks, and with a `message` it is not one line but the
 * beginning of one and the end of another.
 */
export function isOneBlock(): WasmFunction {
  const [AT, END_AT, BITS, KEY, BRACES, QUOTES] = [0, 1, 2, 3, 4, 5] as const;
  const splat = (variable: number, value: number): Code => [constant(value), SPLAT, set(variable)];
  const objects: Code = [
    [get(AT), loadVector(), get(BRACES), V_EQUAL],
    [get(AT), loadVector(1), get(QUOTES), V_EQUAL, V_AND],
  ];
  const skip = (bytes: number): Code => [get(AT), constant(bytes), ADD, set(AT)];
  const isOfMessage: Code = [
    [get(AT), constant('"message":'.length), SUBTRACT, set(KEY)],
    isText(KEY, '"message":'),
  ];
  return {
    parameters: [I32, I32],
    result: I32,
    locals: [I32, I32, V128, V128],
    body: [
      [get(AT), loadByte(1), constant(OPEN_BRACE), NOT_EQUAL, IF, constant(0), RETURN, END],
      [splat(BRACES, OPEN_BRACE), splat(QUOTES, QUOTE), skip(2)],
      [BLOCK, LOOP],
      [get(AT), get(END_AT), AT_LEAST, branchIf(1)],
      [objects, V_BITMASK, tee(BITS), IS_ZERO, IF, skip(VECTOR_BYTES), branch(1), END],
      [get(AT), get(BITS), TRAILING_ZEROS, ADD, tee(AT), get(END_AT), AT_LEAST, branchIf(1)],
      [get(AT), constant(1), SUBTRACT, loadByte(), constant(COLON), NOT_EQUAL, isOfMessage, OR],
      [IF, constant(0), RETURN, END],
      [skip(2), branch(0)],
      [END, END],
      constant(1),
    ],
  };
}
