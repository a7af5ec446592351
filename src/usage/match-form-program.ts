import { BACKSLASH, QUOTE, ZERO } from "../lib/json-bytes.ts";
import {
  ABOVE,
  ADD,
  AND,
  AT_LEAST,
  BLOCK,
  branch,
  branchIf,
  constant,
  constantF64,
  ELSE,
  END,
  EQUAL,
  F64,
  F_ADD,
  F_FROM_UNSIGNED,
  F_MULTIPLY,
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
  SPLAT,
  store,
  storeF64,
  SUBTRACT,
  tee,
  TRAILING_ZEROS,
  UNREACHABLE,
  V128,
  V_ANY,
  V_BELOW,
  V_BITMASK,
  V_EQUAL,
  V_OR,
  V_XOR,
  XOR,
  type Code,
  type WasmFunction,
} from "../lib/wasm-code.ts";
import { END_ADDRESS } from "./scan-layout.ts";

/** What stands in memory of a node, four bytes each, by offset. */
export const NodeField = { literal: 0, length: 4, gap: 8, target: 12, sibling: 16, next: 20 } as const;
export const NODE_BYTES = 24;

export const GapKind = { none: 0, text: 1, number: 2 } as const;

/**
 * Called with `node, at, end` it follows the nodes of a tree through the bytes [at, end), and notes what stands in the gaps at the
 * addresses that the nodes say. Returns `next` of the node without a gap that it comes to; 0 when the bytes have none of
 * the forms. It may look at 31 bytes behind a literal or the end.
 */
export const matchForm = (): WasmFunction => ({
  parameters: [I32, I32, I32],
  result: I32,
  locals: [I32, I32, I32, I32, F64, V128, V128, V128],
  body: followNodes(),
});

// Variables, by their numbers.
const [NODE, AT, END_AT] = [0, 1, 2] as const;
const [START, LITERAL, LEFT, BYTE] = [3, 4, 5, 6] as const;
const VALUE = 7;
const [BYTES, QUOTES, BACKSLASHES] = [8, 9, 10] as const;

const VECTOR_BYTES = 16;
const SPACE = 0x20;
const RETURN_NONE: Code = [constant(0), RETURN];

function followNodes(): Code {
  return [
    [constant(QUOTE), SPLAT, set(QUOTES)],
    [constant(BACKSLASH), SPLAT, set(BACKSLASHES)],
    LOOP,
    [get(AT), set(START)],
    [get(NODE), IS_ZERO, IF, RETURN_NONE, END],
    BLOCK,
    passLiteral(0),
    [field(NodeField.gap), IS_ZERO, IF, leave(), END],
    [field(NodeField.gap), constant(GapKind.text), EQUAL, IF, passText(), ELSE, passNumber(), END],
    [field(NodeField.next), set(NODE), branch(1)],
    END,
    // Other bytes than those of the literal.
    [get(START), set(AT)],
    [field(NodeField.sibling), set(NODE), branch(0)],
    [END, UNREACHABLE],
  ];
}

function field(offset: number): Code {
  return [get(NODE), load(offset)];
}

/** Goes behind the literal; where the bytes are others, out of as many blocks. */
function passLiteral(depth: number): Code {
  const both = [get(LITERAL), loadVector(), get(AT), loadVector()];
  const vector = constant(VECTOR_BYTES);
  return [
    [get(AT), field(NodeField.length), tee(LEFT), ADD, get(END_AT), ABOVE, branchIf(depth)],
    [field(NodeField.literal), set(LITERAL)],
    [BLOCK, LOOP],
    [get(LEFT), vector, AT_LEAST, IS_ZERO, branchIf(1)],
    [both, V_XOR, V_ANY, branchIf(depth + 2)],
    [get(LITERAL), vector, ADD, set(LITERAL)],
    [get(AT), vector, ADD, set(AT)],
    [get(LEFT), vector, SUBTRACT, set(LEFT)],
    [branch(0), END, END],
    // Of the last bytes only as many as the literal has.
    [both, V_EQUAL, V_BITMASK, constant(0xffff), XOR],
    [constant(1), get(LEFT), SHIFT_LEFT, constant(1), SUBTRACT, AND, branchIf(depth)],
    [get(AT), get(LEFT), ADD, set(AT)],
  ];
}

function leave(): Code {
  return [constant(END_ADDRESS), get(AT), store(), field(NodeField.next), RETURN];
}

/** Goes to the closing quote and notes where the text stands. What no text may hold ends it all. */
function passText(): Code {
  const special = [
    [get(BYTES), get(QUOTES), V_EQUAL],
    [get(BYTES), get(BACKSLASHES), V_EQUAL, V_OR],
    [get(BYTES), constant(SPACE), SPLAT, V_BELOW, V_OR],
  ];
  const skip = (bytes: number): Code => [get(AT), constant(bytes), ADD, set(AT), branch(1)];
  return [
    [field(NodeField.target), get(AT), store()],
    LOOP,
    [get(AT), get(END_AT), AT_LEAST, IF, RETURN_NONE, END],
    [get(AT), loadVector(), set(BYTES)],
    [special, V_BITMASK, tee(LEFT), IS_ZERO, IF, skip(VECTOR_BYTES), END],
    [get(AT), get(LEFT), TRAILING_ZEROS, ADD, tee(AT), loadByte(), tee(BYTE)],
    [constant(BACKSLASH), EQUAL, IF, skip(2), END],
    END,
    [get(BYTE), constant(QUOTE), NOT_EQUAL, get(AT), get(END_AT), AT_LEAST, OR, IF, RETURN_NONE, END],
    [field(NodeField.target), get(AT), store(4)],
  ];
}

/** Goes behind the digits, of which there is one at least, and notes their value. */
function passNumber(): Code {
  const digit = [get(AT), loadByte(), constant(ZERO), SUBTRACT, tee(BYTE), constant(9), ABOVE];
  return [
    [digit, IF, RETURN_NONE, END],
    [constantF64(0), set(VALUE)],
    LOOP,
    [get(VALUE), constantF64(10), F_MULTIPLY, get(BYTE), F_FROM_UNSIGNED, F_ADD, set(VALUE)],
    [get(AT), constant(1), ADD, set(AT)],
    [digit, IS_ZERO, branchIf(0)],
    END,
    [field(NodeField.target), get(VALUE), storeF64()],
  ];
}
