import { ZERO } from "../lib/json-bytes.ts";
import { scanBuffer } from "../lib/line-scanner.ts";
import { hashId } from "../store/line-table.ts";
import { LineSkimmer, type Range } from "../store/skim-line.ts";
import { type AnswerFacts, factsOf } from "./answer-facts.ts";
import { AnswerForms } from "./answer-forms.ts";
import type { LineUsage } from "./message-table.ts";
import { FormMemory } from "./form-memory.ts";
import { COUNTS_LENGTH, readCounts, takeCounts } from "./read-counts.ts";

/** Reads the usage of a line, if it is one that counts. `line` is overwritten by the next. */
export class UsageReader {
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
  /** To read lines into: those that stand elsewhere are copied. */
  readonly buffer: Buffer;
  readonly #forms: AnswerForms | undefined;
  readonly #skimmer = new LineSkimmer({ onlyType: "assistant" });
  readonly #counts = new Float64Array(COUNTS_LENGTH);
  #modelBytes: Buffer = Buffer.alloc(0);

  constructor() {
    const memory = FormMemory.open();
    this.#forms = memory && new AnswerForms(memory);
    this.buffer = memory?.bytes ?? scanBuffer();
  }

  read(bytes: Buffer, start: number, end: number): boolean {
    const { buffer } = this;
    if (bytes === buffer) return this.#read(bytes, start, end);
    // A line that is longer than the buffer has no form.
    if (end - start > buffer.length) return this.#skim(bytes, start, end);
    bytes.copy(buffer, 0, start, end);
    return this.#read(buffer, 0, end - start);
  }

  #read(bytes: Buffer, start: number, end: number): boolean {
    const forms = this.#forms;
    switch (forms?.match(start, end)) {
      case "other":
        return false;
      case "answer":
        return this.#take(bytes, { start, end }, forms);
      default:
        return this.#skim(bytes, start, end);
    }
  }

  #skim(bytes: Buffer, start: number, end: number): boolean {
    const skimmer = this.#skimmer;
    const isAnswer = skimmer.skim(bytes, start, end);
    this.#forms?.learn(skimmer, bytes, { start, end, isAnswer });
    if (!isAnswer || skimmer.usage.start < 0 || !readCounts(bytes, skimmer.usage, this.#counts)) return false;
    return this.#take(bytes, { start, end }, factsOf(skimmer, this.#counts));
  }

  #take(bytes: Buffer, range: Range, facts: AnswerFacts): boolean {
    const { line } = this;
    this.#readModel(bytes, facts.model);
    if (line.model === "<synthetic>") return false;
    takeCounts(facts.counts, line);
    line.key = keyOf(facts, bytes, range);
    line.at = momentOf(bytes, facts.timestamp);
    line.contentBytes = facts.contentBytes;
    line.flags = facts.flags;
    return true;
  }

  // A transcript has one model, or two; their names need not be made again for every line.
  #readModel(bytes: Buffer, { start, end }: Range): void {
    const known = this.#modelBytes;
    if (start >= 0 && isSame(bytes, start, end, known)) return;
    this.line.model = start < 0 ? "" : bytes.toString("utf8", start, end);
    this.#modelBytes = start < 0 ? Buffer.alloc(0) : Buffer.from(bytes.subarray(start, end));
  }
}

function isSame(bytes: Buffer, start: number, end: number, known: Buffer): boolean {
  if (end - start !== known.length) return false;
  for (let i = 0; i < known.length; i++) if (bytes[start + i] !== known[i]) return false;
  return true;
}

// Gateways omit the request id. A line without a message id is a message of its own, and so is its copy's.
function keyOf({ messageId, requestId, uuid }: AnswerFacts, bytes: Buffer, line: Range): number {
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
  if (end - start === ISO_LENGTH && bytes[end - 1] === LETTER_Z) {
    const moment =
      midnightOf(
        two(bytes, start) * 100 + two(bytes, start + 2),
        two(bytes, start + 5),
        two(bytes, start + 8),
      ) +
      (two(bytes, start + 11) * 60 + two(bytes, start + 14)) * 60_000 +
      two(bytes, start + 17) * 1000 +
      (bytes[start + 20]! - ZERO) * 100 +
      two(bytes, start + 21);
    if (!Number.isNaN(moment)) return moment;
  }
  return Date.parse(bytes.toString("latin1", start, end));
}

function two(bytes: Buffer, at: number): number {
  return (bytes[at]! - ZERO) * 10 + bytes[at + 1]! - ZERO;
}

// Lines follow each other on one day.
const latest = { year: 0, month: 0, day: 0, midnight: Number.NaN };

function midnightOf(year: number, month: number, day: number): number {
  if (day !== latest.day || month !== latest.month || year !== latest.year) {
    latest.year = year;
    latest.month = month;
    latest.day = day;
    latest.midnight = Date.UTC(year, month - 1, day);
  }
  return latest.midnight;
}

const ISO_LENGTH = 24;
const LETTER_Z = 0x5a;
