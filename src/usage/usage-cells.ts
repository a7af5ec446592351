import type { PriceOf } from "../lib/price.ts";
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
  const table = new MessageTable();
  const owners: number[] = [];
  for (const { file, index } of order) table.addRows(file, () => owners.push(index));
  const cells = new Map<string, UsageCell>();
  const { rows, models } = table;
  for (let message = 0; message < table.count; message++) {
    const row = rows.subarray(message * ROW_LENGTH, (message + 1) * ROW_LENGTH);
    const at = row[Column.at]!;
    if (options.includes && !options.includes(at)) continue;
    const file = owners[message]!;
    const isSidechain = (row[Column.flags]! & MessageFlag.sidechain) !== 0;
    const model = models[row[Column.model]!]!;
    const part = options.partOf?.(files[file]!, at) ?? "";
    const day = dayOf(at);
    const key = `${day} ${file} ${isSidechain} ${part} ${model}`;
    let cell = cells.get(key);
    if (!cell) cells.set(key, (cell = { day, file, model, isSidechain, part, ...nothing }));
    addMessage(cell, row, options.priceOf(model, tokensOf(row), Number.isNaN(at) ? undefined : new Date(at)));
  }
  return [...cells.values()];
}

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

function addMessage(cell: UsageCell, row: Float64Array, cost: number | undefined): void {
  const tokens = tokensOf(row);
  cell.messages++;
  cell.inputTokens += tokens.inputTokens;
  cell.outputTokens += tokens.outputTokens;
  cell.cacheWrite5mTokens += tokens.cacheWrite5mTokens;
  cell.cacheWrite1hTokens += tokens.cacheWrite1hTokens;
  cell.cacheReadTokens += tokens.cacheReadTokens;
  if (isPlaceholder(row)) cell.placeholders++;
  if (cost === undefined) cell.unpriced++;
  else cell.costUsd += cost;
}

function tokensOf(
  row: Float64Array,
): Pick<
  UsageCell,
  "inputTokens" | "outputTokens" | "cacheWrite5mTokens" | "cacheWrite1hTokens" | "cacheReadTokens"
> {
  return {
    inputTokens: row[Column.input]!,
    outputTokens: row[Column.output]!,
    cacheWrite5mTokens: row[Column.cacheWrite5m]!,
    cacheWrite1hTokens: row[Column.cacheWrite1h]!,
    cacheReadTokens: row[Column.cacheRead]!,
  };
}

// Older clients kept the count of the first event of a stream: no reason to stop, and far fewer tokens than the text has.
const BYTES_PER_TOKEN_MAX = 20;

function isPlaceholder(row: Float64Array): boolean {
  const isStopped = (row[Column.flags]! & MessageFlag.stopped) !== 0;
  return !isStopped && row[Column.output]! * BYTES_PER_TOKEN_MAX < row[Column.contentBytes]!;
}

function dayOf(at: number): string {
  return Number.isNaN(at) ? "unknown" : new Date(at).toISOString().slice(0, 10);
}
