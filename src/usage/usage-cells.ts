import type { MessageTokens } from "../format/message-tokens.ts";
import type { AnyTranscript } from "../store/list/all-transcripts.ts";
import { mergeCopies, type MessageUsage } from "../store/line/message-usage.ts";
import type { PriceOf } from "./prices/price.ts";
import type { CountedFile } from "./read-messages.ts";

/** The numbers of a cell. Their names are those of columns in the index, too. */
export interface CellNumbers extends MessageTokens {
  messages: number;
  /** Of the messages: how many have a count of output that is only the placeholder of a stream. */
  placeholders: number;
  costUsd: number;
  /** Of the messages: how many have a model without a known price; they are not in `costUsd`. */
  unpriced: number;
}

/** Sums of messages that have a day, a transcript and a model in common: all that a report asks for, in few numbers. */
export interface UsageCell extends CellNumbers {
  /** UTC, `YYYY-MM-DD`; "unknown" for messages that do not say when. */
  day: string;
  model: string;
  /** Said by a sub-agent inside the main transcript. */
  isSidechain: boolean;
  /** Absent where the cells of all transcripts were summed up. */
  transcript?: AnyTranscript | undefined;
  /** The task that spent it, where that was asked for. */
  task?: string | undefined;
}

export const noNumbers: CellNumbers = {
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

export const cellNumbers = Object.keys(noNumbers) as (keyof CellNumbers)[];

export interface CellOptions {
  priceOf: PriceOf;
  /** Leaves messages out, by the moment they were sent; NaN where that is unknown. */
  includes?: (at: number) => boolean;
  taskOf?: (transcript: AnyTranscript, at: number) => string;
}

/**
 * Sums the messages of files, each once. A message that is in several (a fork copies its past) belongs to the oldest file:
 * nothing else tells which of them is the original.
 */
export function sumCells(files: readonly CountedFile[], options: CellOptions): UsageCell[] {
  const cells = new Map<string, UsageCell>();
  let latest: UsageCell | undefined;
  for (const { message, transcript } of eachMessageOnce(files)) {
    const at = message.at ?? Number.NaN;
    if (options.includes && !options.includes(at)) continue;
    const day = dayOf(at);
    const task = options.taskOf?.(transcript, at);
    const { model, isSidechain } = message;
    // Mostly a message belongs to the cell of the one before it.
    const isSame =
      latest?.transcript === transcript &&
      latest.day === day &&
      latest.model === model &&
      latest.isSidechain === isSidechain &&
      latest.task === task;
    if (!latest || !isSame) {
      const key = JSON.stringify([transcript.path, day, model, isSidechain, task]);
      latest = cells.get(key) ?? { day, model, isSidechain, transcript, task, ...noNumbers };
      cells.set(key, latest);
    }
    addMessage(latest, message, options.priceOf);
  }
  return [...cells.values()];
}

interface OwnedMessage {
  message: MessageUsage;
  transcript: AnyTranscript;
}

function eachMessageOnce(files: readonly CountedFile[]): Iterable<OwnedMessage> {
  const oldestFirst = files.toSorted(
    ({ transcript: a }, { transcript: b }) => a.bornMs - b.bornMs || (a.path < b.path ? -1 : 1),
  );
  const owned = new Map<number, OwnedMessage>();
  for (const { transcript, messages } of oldestFirst) {
    for (const message of messages) {
      const known = owned.get(message.key);
      if (known) known.message = mergeCopies(known.message, message);
      else owned.set(message.key, { message, transcript });
    }
  }
  return owned.values();
}

function addMessage(cell: UsageCell, message: MessageUsage, priceOf: PriceOf): void {
  cell.messages++;
  cell.inputTokens += message.inputTokens;
  cell.outputTokens += message.outputTokens;
  cell.cacheWrite5mTokens += message.cacheWrite5mTokens;
  cell.cacheWrite1hTokens += message.cacheWrite1hTokens;
  cell.cacheReadTokens += message.cacheReadTokens;
  if (isPlaceholder(message)) cell.placeholders++;
  const cost = priceOf(message.model, message, message.at ?? undefined);
  if (cost === undefined) cell.unpriced++;
  else cell.costUsd += cost;
}

// Older clients kept the count of the first event of a stream: no reason to stop, and far fewer tokens than the text has.
const BYTES_PER_TOKEN_MAX = 20;

function isPlaceholder({ isStopped, outputTokens, contentBytes }: MessageUsage): boolean {
  return !isStopped && outputTokens * BYTES_PER_TOKEN_MAX < contentBytes;
}

const DAY_MS = 86_400_000;
// A report has few days and many messages.
const dayNames = new Map<number, string>();

function dayOf(at: number): string {
  if (Number.isNaN(at)) return "unknown";
  const day = Math.floor(at / DAY_MS);
  const name = dayNames.get(day) ?? new Date(at).toISOString().slice(0, 10);
  dayNames.set(day, name);
  return name;
}
