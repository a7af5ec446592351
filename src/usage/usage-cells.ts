import type { MessageTokens } from "../format/message-tokens.ts";
import type { PriceOf } from "./prices/price.ts";
import { Column, MessageFlag, MessageTable, ROW_LENGTH } from "./message-table.ts";
import type { CountedFile } from "./read-messages.ts";

/** Sums of messages that share a day, a transcript and a model: everything a report can ask for, in few numbers. */
export interface UsageCell {
  /** UTC, `YYYY-MM-DD`; "unknown" for messages that do not say when. */
  day: string;
  /** Index of the transcript. */
  file: number;
  model: string;
  /** Said by a sub-agent inside the main transcript. */
  isSidechain: boolean;
  /** Of the caller's own making: messages are kept apart by it, too. */
  part: string;
  messages: number;
  inputTokens: number;
  outputTokens: number;
  cacheWrite5mTokens: number;
  cacheWrite1hTokens: number;
  cacheReadTokens: number;
  /** Of the messages: how many have a count of output that is only the placeholder of a stream. */
  placeholders: number;
  costUsd: number;
  /** Of the messages: how many have a model without a known price; they are not in `costUsd`. */
  unpriced: number;
}

export interface CellOptions {
  priceOf: PriceOf;
  /** Leaves messages out, by the moment they were sent. */
  includes?: (at: number) => boolean;
  /** Keeps messages of one cell apart. */
  partOf?: (file: CountedFile, at: number) => string;
}

/**
 * Sums the messages of all files, each once. A message that is in several (a fork copies its past) belongs to the oldest
 * file: which of them is the original cannot be told otherwise.
 */
export function sumCells(files: readonly CountedFile[], options: CellOptions): UsageCell[] {
  const order = files
    .map((file, index) => ({ file, index }))
    .sort((a, b) => a.file.bornMs - b.file.bornMs || (a.file.path < b.file.path ? -1 : 1));
  const expected = files.reduce((sum, { rows }) => sum + rows.length, 0) / ROW_LENGTH;
  const table = new MessageTable(expected);
  // Of each message: its file.
  const owners = new Int32Array(expected);
  for (const { file, index } of order) {
    const before = table.count;
    table.addRows(file);
    owners.fill(index, before, table.count);
  }
  const cells: UsageCell[] = [];
  // Rows come file by file, so the cells of one at a time are enough to look in, and mostly one after the other.
  let ofFile = new Map<string, Map<number, UsageCell>>();
  const dayNames = new Map<number, string>();
  let latest: { cell: UsageCell; key: number } | undefined;
  const { rows, models } = table;
  for (let message = 0; message < table.count; message++) {
    const from = message * ROW_LENGTH;
    const at = rows[from + Column.at]!;
    if (options.includes && !options.includes(at)) continue;
    const file = owners[message]!;
    if (file !== latest?.cell.file) ofFile = new Map();
    const part = options.partOf?.(files[file]!, at) ?? "";
    const model = rows[from + Column.model]!;
    const isSidechain = (rows[from + Column.flags]! & MessageFlag.sidechain) !== 0;
    // One number for what a cell has in common: a text for each message would cost more than all the rest.
    const day = Number.isNaN(at) ? DAY_UNKNOWN : Math.floor(at / DAY_MS);
    const key = (day * models.length + model) * 2 + (isSidechain ? 1 : 0);
    if (file !== latest?.cell.file || key !== latest.key || part !== latest.cell.part) {
      let ofPart = ofFile.get(part);
      if (!ofPart) ofFile.set(part, (ofPart = new Map<number, UsageCell>()));
      let cell = ofPart.get(key);
      if (!cell) {
        let name = dayNames.get(day);
        if (name === undefined) dayNames.set(day, (name = dayName(day)));
        cell = { day: name, file, model: models[model]!, isSidechain, part, ...nothing };
        ofPart.set(key, cell);
        cells.push(cell);
      }
      latest = { cell, key };
    }
    addMessage(latest.cell, rows, from, options.priceOf);
  }
  return cells;
}

/** Cells of all files together: most reports ask for no more, and there are a hundred times fewer. */
export function mergeFiles(cells: readonly UsageCell[]): UsageCell[] {
  const merged = new Map<string, UsageCell>();
  for (const cell of cells) {
    const key = `${cell.day} ${cell.isSidechain} ${cell.model}`;
    let sum = merged.get(key);
    if (!sum) merged.set(key, (sum = { ...cell, file: NO_FILE, ...nothing }));
    for (const name of sumNames) sum[name] += cell[name];
  }
  return [...merged.values()];
}

const NO_FILE = -1;
const DAY_MS = 86_400_000;
const DAY_UNKNOWN = -1_000_000;

const nothing = {
  messages: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  cacheReadTokens: 0,
  placeholders: 0,
  costUsd: 0,
  unpriced: 0,
};

const sumNames = Object.keys(nothing) as (keyof typeof nothing)[];

function addMessage(cell: UsageCell, rows: Float64Array, from: number, priceOf: PriceOf): void {
  tokens.inputTokens = rows[from + Column.input]!;
  tokens.outputTokens = rows[from + Column.output]!;
  tokens.cacheWrite5mTokens = rows[from + Column.cacheWrite5m]!;
  tokens.cacheWrite1hTokens = rows[from + Column.cacheWrite1h]!;
  tokens.cacheReadTokens = rows[from + Column.cacheRead]!;
  cell.messages++;
  cell.inputTokens += tokens.inputTokens;
  cell.outputTokens += tokens.outputTokens;
  cell.cacheWrite5mTokens += tokens.cacheWrite5mTokens;
  cell.cacheWrite1hTokens += tokens.cacheWrite1hTokens;
  cell.cacheReadTokens += tokens.cacheReadTokens;
  if (isPlaceholder(rows, from)) cell.placeholders++;
  const at = rows[from + Column.at]!;
  const cost = priceOf(cell.model, tokens, Number.isNaN(at) ? undefined : at);
  if (cost === undefined) cell.unpriced++;
  else cell.costUsd += cost;
}

// Filled anew for each message.
const tokens: MessageTokens = {
  inputTokens: 0,
  outputTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  cacheReadTokens: 0,
};

// Older clients kept the count of the first event of a stream: no reason to stop, and far fewer tokens than the text has.
const BYTES_PER_TOKEN_MAX = 20;

function isPlaceholder(rows: Float64Array, from: number): boolean {
  const isStopped = (rows[from + Column.flags]! & MessageFlag.stopped) !== 0;
  return !isStopped && rows[from + Column.output]! * BYTES_PER_TOKEN_MAX < rows[from + Column.contentBytes]!;
}

function dayName(day: number): string {
  return day === DAY_UNKNOWN ? "unknown" : new Date(day * DAY_MS).toISOString().slice(0, 10);
}
