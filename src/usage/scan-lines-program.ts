import { CLOSE_BRACKET, COMMA } from "../lib/json-bytes.ts";
import {
  ABOVE,
  ADD,
  AND,
  AT_LEAST,
  BELOW,
  BLOCK,
  branch,
  branchIf,
  call,
  constant,
  DROP,
  END,
  EQUAL,
  F64,
  F_LESS,
  constantF64,
  get,
  I32,
  IF,
  IS_ZERO,
  LESS,
  load,
  loadByte,
  loadVector,
  LOOP,
  MORE,
  NOT_EQUAL,
  OR,
  RETURN,
  SELECT,
  set,
  SPLAT,
  store,
  storeVector,
  SUBTRACT,
  tee,
  TRAILING_ZEROS,
  V128,
  V_ANY,
  V_BITMASK,
  V_EQUAL,
  V_OR,
  wasmProgram,
  type Code,
  type WasmFunction,
} from "../lib/wasm-code.ts";
import { addRow, hashText, readMoment } from "./add-row-program.ts";
import { findQuoteBefore, isOneBlock, spokenBytes } from "./answer-content-program.ts";
import { matchForm } from "./match-form-program.ts";
import { COUNT_ADDRESS, END_ADDRESS, Note, ROWS_MAX } from "./scan-layout.ts";

/** What stands in memory of a head, by offset: its tails, and how long they were. */
export const HeadField = { tails: 0, shortest: 4, longest: 8, latest: 12 } as const;
export const HEAD_BYTES = 16;
/** The leaf of a head that is not that of an answer. */
export const OTHER_HEAD = -1;

/** What stands in memory of a tail, by offset. */
export const TailField = { model: 0, flags: 4 } as const;
export const TAIL_BYTES = 8;
/** Instead of a model: what has it does not count. */
export const NO_MODEL = -1;

/** How far it may look behind a literal, or behind the end of a line. */
export const LOOKAHEAD_BYTES = 64;

/**
 * The WebAssembly of form-memory.ts: called with `at, end, heads` it goes through the whole lines in the bytes [at, end), of which the
 * last ends with a newline, and adds the answers among them to the rows of their messages. It returns where a line begins that
 * has none of the forms, takes a closer look, or has no room for a row any more; `end`, when there is none.
 */
export function scanLinesProgram(): Uint8Array<ArrayBuffer> {
  return wasmProgram({
    ...scanLines(),
    helpers: {
      matchHead: matchHead(),
      findNewline: findNewline(),
      findTail: findTail(),
      matchForm: matchForm(),
      spokenBytes: spokenBytes(),
      isOneBlock: isOneBlock(),
      findQuoteBefore: findQuoteBefore(),
      readMoment: readMoment(),
      addRow: addRow(),
      hashText: hashText(),
    },
  });
}

const VECTOR_BYTES = 16;

function scanLines(): WasmFunction {
  const [AT, END_AT, HEADS, HEAD, TAIL, LINE_END, CONTENT, SPOKEN, MOMENT] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8,
  ] as const;
  const tail = (offset: number): Code => [get(TAIL), load(offset)];
  const contentEnd: Code = [get(LINE_END), get(HEAD), load(HeadField.latest), SUBTRACT, constant(1), ADD];
  // Out of the loop, and of what is around it.
  const stop: Code = branchIf(3);
  const count: Code = [
    [get(CONTENT), contentEnd, call("spokenBytes"), tee(SPOKEN), constant(0), LESS, stop],
    [call("readMoment"), tee(MOMENT), constantF64(0), F_LESS, stop],
    [tail(TailField.model), tail(TailField.flags), get(SPOKEN), get(MOMENT), call("addRow")],
  ];
  const answer: Code = [
    [constant(END_ADDRESS), load(), constant(1), SUBTRACT, set(CONTENT)],
    [get(HEADS), get(AT), get(HEAD), get(CONTENT), get(LINE_END), call("findTail")],
    [tee(TAIL), IS_ZERO, branchIf(2)],
    [tail(TailField.model), constant(NO_MODEL), NOT_EQUAL, IF, count, END],
  ];
  return {
    parameters: [I32, I32, I32],
    result: I32,
    locals: [I32, I32, I32, I32, I32, F64],
    body: [
      [BLOCK, LOOP],
      [get(AT), get(END_AT), AT_LEAST, constant(COUNT_ADDRESS), load(), constant(ROWS_MAX), AT_LEAST, OR],
      branchIf(1),
      [get(HEADS), get(AT), get(END_AT), call("matchHead"), tee(HEAD), IS_ZERO, branchIf(1)],
      [constant(END_ADDRESS), load(), call("findNewline"), set(LINE_END)],
      [get(HEAD), constant(OTHER_HEAD), NOT_EQUAL, IF, answer, END],
      [get(LINE_END), constant(1), ADD, set(AT), branch(0)],
      [END, END],
      get(AT),
    ],
  };
}

/** Called with `heads, at, end`, it compares with the heads, after it has forgotten what was noted. */
function matchHead(): WasmFunction {
  const [HEADS, AT, END_AT] = [0, 1, 2] as const;
  const forget: Code[] = [];
  for (let address: number = Note.start; address < Note.end; address += VECTOR_BYTES)
    forget.push([constant(address), constant(0), SPLAT, storeVector()]);
  return {
    parameters: [I32, I32, I32],
    result: I32,
    locals: [],
    body: [forget, get(HEADS), get(AT), get(END_AT), call("matchForm")],
  };
}

/** Called with a place before a newline, it returns that of the newline. */
function findNewline(): WasmFunction {
  const [AT, BITS, NEWLINES] = [0, 1, 2] as const;
  const isNewline = (offset: number): Code => [get(AT), loadVector(offset), get(NEWLINES), V_EQUAL];
  const skip = (bytes: number): Code => [get(AT), constant(bytes), ADD, set(AT), branch(0)];
  return {
    parameters: [I32],
    result: I32,
    locals: [I32, V128],
    body: [
      [constant(NEWLINE), SPLAT, set(NEWLINES)],
      [BLOCK, LOOP],
      [isNewline(0), isNewline(16), V_OR, isNewline(32), V_OR, isNewline(48), V_OR, V_ANY, branchIf(1)],
      [skip(4 * VECTOR_BYTES), END, END],
      [BLOCK, LOOP],
      [isNewline(0), V_BITMASK, tee(BITS), branchIf(1)],
      [skip(VECTOR_BYTES), END, END],
      [get(AT), get(BITS), TRAILING_ZEROS, ADD],
    ],
  };
}

const NEWLINE = 10;

/**
 * Called with `heads, line start, head, content start, line end`, it looks for the end of the content, and returns the leaf of what
 * follows; 0 when there is none. That has nearly the same length in all lines: only there it is looked for, beginning
 * with where it was the last time, which is kept with the head.
 */
function findTail(): WasmFunction {
  const [HEADS, LINE_START, HEAD, CONTENT, LINE_END, LATEST, REACH, DISTANCE, AT, TAIL] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
  ] as const;
  const head = (offset: number): Code => [get(HEAD), load(offset)];
  // 0, 1, -1, 2, -2, …
  const next: Code = [
    [constant(0), get(DISTANCE), SUBTRACT, constant(1), get(DISTANCE), SUBTRACT],
    [get(DISTANCE), constant(0), MORE, SELECT, set(DISTANCE)],
  ];
  const isInLine: Code = [
    [get(LATEST), get(DISTANCE), ADD, tee(AT), get(CONTENT), ABOVE],
    [get(AT), get(LINE_END), BELOW, AND],
  ];
  const isContentEnd: Code = [
    [get(AT), loadByte(), constant(CLOSE_BRACKET), EQUAL],
    [get(AT), loadByte(1), constant(COMMA), EQUAL, AND],
  ];
  const match: Code = [
    [head(HeadField.tails), get(AT), get(LINE_END), call("matchForm"), tee(TAIL), IF],
    [constant(END_ADDRESS), load(), get(LINE_END), EQUAL, IF],
    [get(HEAD), get(LINE_END), get(AT), SUBTRACT, store(HeadField.latest)],
    [get(TAIL), RETURN],
    [END, END],
    // What was noted on the way must not stay.
    [get(HEADS), get(LINE_START), get(LINE_END), call("matchHead"), DROP],
  ];
  return {
    parameters: [I32, I32, I32, I32, I32],
    result: I32,
    locals: [I32, I32, I32, I32, I32],
    body: [
      [get(LINE_END), head(HeadField.latest), SUBTRACT, set(LATEST)],
      [head(HeadField.longest), head(HeadField.shortest), SUBTRACT, constant(TAIL_SLACK_BYTES), ADD],
      set(REACH),
      [BLOCK, LOOP],
      [get(DISTANCE), get(REACH), MORE, branchIf(1)],
      // What is not in the line may not even be in the memory.
      [isInLine, IF, isContentEnd, IF, match, END, END],
      [next, branch(0)],
      [END, END],
      constant(0),
    ],
  };
}

// Counts have a digit more or less.
const TAIL_SLACK_BYTES = 24;
