import {
  ADD,
  AND,
  AT_LEAST,
  BELOW,
  BLOCK,
  branch,
  branchIf,
  constant,
  constantF64,
  DIVIDE,
  END,
  EQUAL,
  F64,
  F_ADD,
  F_EQUAL,
  F_FROM_UNSIGNED,
  F_MAX,
  F_MULTIPLY,
  F_SUBTRACT,
  get,
  I32,
  IF,
  IS_ZERO,
  LESS,
  load,
  loadByte,
  loadF64,
  loadVector,
  LOOP,
  MULTIPLY,
  OR,
  RETURN,
  set,
  SHIFT_LEFT,
  SHIFT_RIGHT,
  SPLAT,
  store,
  storeF64,
  SUBTRACT,
  tee,
  UNSIGNED_FROM_F,
  V_BELOW,
  V_BITMASK,
  V_SUBTRACT,
  XOR,
  call,
  type Code,
  type WasmFunction,
} from "../lib/wasm-code.ts";
import { ZERO } from "../lib/json-bytes.ts";
import { HASH_A, HASH_B, HASH_HIGH_MASK, PRIME_A, PRIME_B } from "../store/line-table.ts";
import { Column, KEY_PRIME } from "./message-table.ts";
import { Count } from "./read-counts.ts";
import {
  COUNT_ADDRESS,
  FIRST_ROW_ADDRESS,
  Note,
  PLACES,
  PLACES_ADDRESS,
  ROW_BYTES,
  ROWS_ADDRESS,
} from "./scan-layout.ts";

/**
 * Called with `model, flags, content bytes, moment`, it adds the line that was noted to the row of its message, as
 * `FileMessages.add` does. Its ids are replaced by their hashes. There must be room for a row.
 */
export function addRow(): WasmFunction {
  const [MODEL, FLAGS, CONTENT_BYTES, MOMENT, LOW, PLACE, ROW, KEY] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  const noted = (address: number): Code => [constant(address), load()];
  const row = (column: number, value: Code): Code => [get(ROW), value, storeF64(column * 8)];
  const fromRow = (column: number): Code => [get(ROW), loadF64(column * 8)];
  const raise = (column: number, value: Code): Code => row(column, [fromRow(column), value, F_MAX]);
  const count = (index: number): Code => [constant(Note.counts + index * 8), loadF64()];
  const counts: [number, Code][] = [
    [Column.input, count(Count.input)],
    [Column.output, count(Count.output)],
    [Column.cacheRead, count(Count.cacheRead)],
    [Column.cacheWrite1h, count(Count.hour)],
    [Column.cacheWrite5m, [count(Count.fiveMinutes), count(Count.sum), count(Count.hour), F_SUBTRACT, F_MAX]],
  ];
  const flags: Code = [fromRow(Column.flags), UNSIGNED_FROM_F, get(FLAGS), OR, F_FROM_UNSIGNED];
  const place: Code = [get(PLACE), constant(2), SHIFT_LEFT];
  return {
    parameters: [I32, I32, I32, F64],
    locals: [I32, I32, I32, F64],
    body: [
      [constant(Note.messageId), call("hashText"), constant(Note.requestId), call("hashText")],
      [noted(Note.messageId), noted(Note.requestId), constant(KEY_PRIME | 0), MULTIPLY, XOR, set(LOW)],
      [noted(Note.messageId + 4), noted(Note.requestId + 4), XOR, F_FROM_UNSIGNED],
      [constantF64(0x1_0000_0000), F_MULTIPLY, get(LOW), F_FROM_UNSIGNED, F_ADD, set(KEY)],
      [get(LOW), set(PLACE)],
      BLOCK,
      LOOP,
      [get(PLACE), constant(PLACES - 1), AND, set(PLACE)],
      [
        place,
        load(PLACES_ADDRESS),
        constant(1),
        SUBTRACT,
        tee(ROW),
        noted(FIRST_ROW_ADDRESS),
        LESS,
        branchIf(1),
      ],
      [get(ROW), constant(ROW_BYTES), MULTIPLY, constant(ROWS_ADDRESS), ADD, set(ROW)],
      [fromRow(Column.key), get(KEY), F_EQUAL, IF],
      [row(Column.flags, flags), counts.map(([column, value]) => raise(column, value))],
      row(Column.contentBytes, [fromRow(Column.contentBytes), get(CONTENT_BYTES), F_FROM_UNSIGNED, F_ADD]),
      [RETURN, END],
      [get(PLACE), constant(1), ADD, set(PLACE), branch(0)],
      END,
      END,
      [noted(COUNT_ADDRESS), constant(ROW_BYTES), MULTIPLY, constant(ROWS_ADDRESS), ADD, set(ROW)],
      [constant(COUNT_ADDRESS), noted(COUNT_ADDRESS), constant(1), ADD, store()],
      [place, noted(COUNT_ADDRESS), store(PLACES_ADDRESS)],
      [row(Column.key, get(KEY)), row(Column.at, get(MOMENT))],
      [row(Column.model, [get(MODEL), F_FROM_UNSIGNED]), row(Column.flags, [get(FLAGS), F_FROM_UNSIGNED])],
      counts.map(([column, value]) => row(column, value)),
      row(Column.contentBytes, [get(CONTENT_BYTES), F_FROM_UNSIGNED]),
    ],
  };
}

/**
 * Called with the address of where a text begins and ends, it puts the two halves of its hash there, as `hashId` makes it;
 * both are 0 where there is no text.
 */
export function hashText(): WasmFunction {
  const [ADDRESS, AT, END_AT, A, B] = [0, 1, 2, 3, 4] as const;
  const mix = (variable: number, prime: number): Code => [
    [get(variable), get(AT), loadByte(), XOR, constant(prime | 0), MULTIPLY],
  ];
  return {
    parameters: [I32],
    locals: [I32, I32, I32, I32],
    body: [
      [get(ADDRESS), load(), tee(AT), IS_ZERO, IF, RETURN, END],
      [get(ADDRESS), load(4), set(END_AT)],
      [constant(HASH_A | 0), set(A), constant(HASH_B | 0), set(B)],
      [BLOCK, LOOP],
      [get(AT), get(END_AT), AT_LEAST, branchIf(1)],
      [mix(A, PRIME_A), set(A)],
      [mix(B, PRIME_B), get(B), constant(15), SHIFT_RIGHT, XOR, set(B)],
      [get(AT), constant(1), ADD, set(AT), branch(0)],
      [END, END],
      [get(B), constant(HASH_HIGH_MASK), AND, set(B)],
      [get(ADDRESS), get(A), get(A), get(B), OR, IS_ZERO, ADD, store()],
      [get(ADDRESS), get(B), store(4)],
    ],
  };
}

/**
 * Returns the moment that the noted timestamp tells, as `momentOf` does; not a number where there is none, and -1 where that takes a
 * closer look, because it is not written as `2026-03-04T05:06:07.890Z` or tells of another age.
 */
export function readMoment(): WasmFunction {
  const [AT, YEAR, MONTH] = [0, 1, 2] as const;
  const digit = (offset: number): Code => [get(AT), loadByte(offset), constant(ZERO), SUBTRACT];
  const two = (offset: number): Code => [digit(offset), times(10), digit(offset + 1), ADD];
  const times = (factor: number): Code => [constant(factor), MULTIPLY];
  // A bit for each of sixteen bytes, the first the lowest.
  const areDigits = (offset: number, bits: number): Code => [
    [get(AT), loadVector(offset), constant(ZERO), SPLAT, V_SUBTRACT],
    [constant(10), SPLAT, V_BELOW, V_BITMASK, constant(bits), EQUAL],
  ];
  const isUsual: Code = [
    [constant(Note.timestamp), load(4), get(AT), SUBTRACT, constant(ISO_LENGTH), EQUAL],
    [get(AT), loadByte(ISO_LENGTH - 1), constant(LETTER_Z), EQUAL, AND],
    [areDigits(0, 0b1101_1011_0110_1111), AND, areDigits(8, 0b0111_0110_1101_1011), AND],
    [two(0), times(100), two(2), ADD, tee(YEAR), constant(YEAR_MIN), AT_LEAST, AND],
    [two(5), tee(MONTH), constant(1), SUBTRACT, constant(12), BELOW, AND],
  ];
  const years = (divisor: number): Code => [get(YEAR), constant(divisor), DIVIDE];
  const days: Code = [
    [get(YEAR), times(365), years(4), ADD, years(100), SUBTRACT, years(400), ADD],
    [get(MONTH), times(153), constant(457), SUBTRACT, constant(5), DIVIDE, ADD, two(8), ADD],
    [constant(DAYS_UNTIL_1970), SUBTRACT],
  ];
  const milliseconds: Code = [
    [two(11), times(60), two(14), ADD, times(60), two(17), ADD, times(1000)],
    [digit(20), times(100), ADD, two(21), ADD],
  ];
  return {
    parameters: [],
    result: F64,
    locals: [I32, I32, I32],
    body: [
      [constant(Note.timestamp), load(), tee(AT), IS_ZERO, IF, constantF64(Number.NaN), RETURN, END],
      [isUsual, IS_ZERO, IF, constantF64(-1), RETURN, END],
      // Of years that begin in March, so that a leap day is the last.
      [get(MONTH), constant(3), BELOW, IF],
      [get(YEAR), constant(1), SUBTRACT, set(YEAR), get(MONTH), constant(12), ADD, set(MONTH)],
      END,
      [days, F_FROM_UNSIGNED, constantF64(86_400_000), F_MULTIPLY, milliseconds, F_FROM_UNSIGNED, F_ADD],
    ],
  };
}

const ISO_LENGTH = 24;
const LETTER_Z = 0x5a;
// Date takes the years before 100 for others, and of those before 1970 the moments are negative.
const YEAR_MIN = 1971;
const DAYS_UNTIL_1970 = 719_469;
