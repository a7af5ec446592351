import fs from "node:fs";
import { lineBytesMax } from "../format/limits.ts";
import { LineScanner, scanBuffer } from "../lib/line-scanner.ts";
import { hashId } from "../store/line-table.ts";
import type { TranscriptPart } from "../store/cut-parts.ts";
import { openIfThere } from "../store/open-if-there.ts";
import { LineSkimmer, type Range } from "../store/skim-line.ts";
import { type LineUsage, MessageFlag, MessageTable, type MessageRows } from "./message-table.ts";
import { readCounts } from "./read-counts.ts";

/**
 * The messages of some parts of transcripts, part by part, one chunk a step, so that whoever calls may let others run
 * in between. A last line without a newline counts when it is whole; a file that is gone has no messages.
 */
export function* scanUsage(parts: readonly TranscriptPart[]): Generator<void, MessageRows[]> {
  const found: MessageRows[] = [];
  for (const part of parts) {
    const table = new MessageTable();
    const fd = openIfThere(part.path);
    if (fd !== undefined) {
      try {
        yield* scanFile(fd, part, table);
      } finally {
        fs.closeSync(fd);
      }
    }
    // The table's memory is larger than its rows; only these are worth keeping, or sending.
    found.push({ rows: table.rows.slice(), models: table.models });
  }
  return found;
}

let sharedBuffer: Buffer | undefined;

function* scanFile(fd: number, { from, to }: TranscriptPart, table: MessageTable): Generator<void, void> {
  // Other scans of this thread may run between the steps of this one: then they have a buffer of their own.
  const buffer = sharedBuffer ?? scanBuffer();
  sharedBuffer = undefined;
  const reader = usageReader;
  const scanner = new LineScanner(fd, { from, to, lineBytesMax, buffer });
  const visit = (bytes: Buffer, start: number, end: number): void => {
    if (reader.read(bytes, start, end)) table.addLine(reader.line);
  };
  let steps = 0;
  while (scanner.next(visit)) if (++steps % STEP_CHUNKS === 0) yield;
  sharedBuffer = buffer;
}

// A chunk takes a fraction of a millisecond.
const STEP_CHUNKS = 8;

/** Reads the usage of a line, if it is one that counts. `line` is overwritten by the next. */
class UsageReader {
  readonly line: LineUsage = {
    key: 0,
    at: 0,
    model: "",
    flags: 0,
    input: 0,
    output: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    cacheRead: 0,
    contentBytes: 0,
  };
  readonly #skimmer = new LineSkimmer({ onlyType: "assistant" });
  #modelBytes: Buffer = Buffer.alloc(0);
  readonly #lastUsage: Buffer = Buffer.allocUnsafe(2048);
  #lastLength = 0;

  read(bytes: Buffer, start: number, end: number): boolean {
    const skimmer = this.#skimmer;
    if (!skimmer.skim(bytes, start, end) || skimmer.usage.start < 0) return false;
    const { line } = this;
    this.#readModel(bytes, skimmer.model);
    if (line.model === "<synthetic>" || !this.#readCounts(bytes, skimmer.usage)) return false;
    line.key = keyOf(skimmer, bytes, { start, end });
    line.at = momentOf(bytes, skimmer.timestamp);
    line.contentBytes = skimmer.contentBytes;
    line.flags =
      (skimmer.stopReason.start < 0 ? 0 : MessageFlag.stopped) |
      (skimmer.isSidechain ? MessageFlag.sidechain : 0);
    return true;
  }

  // The lines of a split message mostly repeat their counts.
  #readCounts(bytes: Buffer, usage: Range): boolean {
    const length = usage.end - usage.start;
    const last = this.#lastUsage;
    if (length === this.#lastLength && last.compare(bytes, usage.start, usage.end, 0, length) === 0)
      return true;
    this.#lastLength = 0;
    if (!readCounts(bytes, usage, this.line)) return false;
    if (length <= last.length) {
      bytes.copy(last, 0, usage.start, usage.end);
      this.#lastLength = length;
    }
    return true;
  }

  // A transcript has one model, or two; their names need not be made again for every line.
  #readModel(bytes: Buffer, { start, end }: Range): void {
    const known = this.#modelBytes;
    if (start >= 0 && end - start === known.length && known.compare(bytes, start, end) === 0) return;
    this.line.model = start < 0 ? "" : bytes.toString("utf8", start, end);
    this.#modelBytes = start < 0 ? Buffer.alloc(0) : Buffer.from(bytes.subarray(start, end));
  }
}

// Gateways omit the request id. A line without a message id is a message of its own, and so is its copy's.
function keyOf(skimmer: LineSkimmer, bytes: Buffer, line: Range): number {
  const { messageId, requestId, uuid } = skimmer;
  if (messageId.start < 0) {
    const own = uuid.start < 0 ? line : uuid;
    return hashId(bytes, own.start, own.end);
  }
  const id = hashId(bytes, messageId.start, messageId.end);
  return requestId.start < 0 ? id : joinHashes(id, hashId(bytes, requestId.start, requestId.end));
}

const HIGH = 0x1_0000_0000;

function joinHashes(a: number, b: number): number {
  const low = ((a >>> 0) ^ Math.imul(b >>> 0, 0x9e3779b1)) >>> 0;
  const high = Math.floor(a / HIGH) ^ Math.floor(b / HIGH);
  return high * HIGH + low;
}

/** The moment that `2026-03-04T05:06:07.890Z` tells, read digit by digit; whatever looks different is left to Date. */
function momentOf(bytes: Buffer, { start, end }: Range): number {
  if (start < 0) return Number.NaN;
  const two = (at: number): number => (bytes[start + at]! - ZERO) * 10 + bytes[start + at + 1]! - ZERO;
  if (end - start === ISO_LENGTH && bytes[end - 1] === LETTER_Z) {
    const millis = (bytes[start + 20]! - ZERO) * 100 + two(21);
    const moment = Date.UTC(two(0) * 100 + two(2), two(5) - 1, two(8), two(11), two(14), two(17), millis);
    if (!Number.isNaN(moment)) return moment;
  }
  return Date.parse(bytes.toString("latin1", start, end));
}

// What it keeps between two lines says nothing about the file, so one serves all scans of a thread.
const usageReader = new UsageReader();

const ISO_LENGTH = 24;
const ZERO = 0x30;
const LETTER_Z = 0x5a;
