import { ZERO } from "../lib/json-bytes.ts";
import { hashId } from "../store/line-table.ts";
import { LineSkimmer, type Range } from "../store/skim-line.ts";
import { type AnswerFacts, factsOf } from "./answer-facts.ts";
import { AnswerForms } from "./answer-forms.ts";
import type { LineUsage } from "./message-table.ts";
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
  readonly #forms = new AnswerForms();
  readonly #skimmer = new LineSkimmer({ onlyType: "assistant" });
  readonly #counts = new Float64Array(COUNTS_LENGTH);
  #modelBytes: Buffer = Buffer.alloc(0);

  read(bytes: Buffer, start: number, end: number): boolean {
    const forms = this.#forms;
    switch (forms.match(bytes, start, end)) {
      case "other":
        return false;
      case "answer":
        return this.#take(bytes, { start, end }, forms);
      case "unknown":
    }
    const skimmer = this.#skimmer;
    const isAnswer = skimmer.skim(bytes, start, end);
    forms.learn(skimmer, bytes, { start, end, isAnswer });
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
  const two = (at: number): number => (bytes[start + at]! - ZERO) * 10 + bytes[start + at + 1]! - ZERO;
  if (end - start === ISO_LENGTH && bytes[end - 1] === LETTER_Z) {
    const millis = (bytes[start + 20]! - ZERO) * 100 + two(21);
    const moment = Date.UTC(two(0) * 100 + two(2), two(5) - 1, two(8), two(11), two(14), two(17), millis);
    if (!Number.isNaN(moment)) return moment;
  }
  return Date.parse(bytes.toString("latin1", start, end));
}

const ISO_LENGTH = 24;
const LETTER_Z = 0x5a;
