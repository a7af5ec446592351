import { ZERO } from "../lib/json-bytes.ts";
import { scanBuffer } from "../lib/line-scanner.ts";
import { hashId } from "../store/line-table.ts";
import { LineSkimmer } from "../store/skim-line.ts";
import type { Range } from "../store/skimmed-keys.ts";
import { AnswerForms, flagsOf } from "./answer-forms.ts";
import { FileMessages } from "./file-messages.ts";
import { FormMemory } from "./form-memory.ts";
import { KEY_PRIME, type LineUsage } from "./message-table.ts";
import { COUNTS_LENGTH, readCounts, takeCounts } from "./read-counts.ts";
import { NO_MODEL } from "./scan-lines-program.ts";

/** Reads the messages of lines, as far as they count. */
export class UsageReader {
  /** To read lines into: those that stand elsewhere take longer. */
  readonly buffer: Buffer;
  readonly messages: FileMessages;
  readonly #forms: AnswerForms | undefined;
  readonly #skimmer = new LineSkimmer({ onlyType: "assistant" });
  readonly #counts = new Float64Array(COUNTS_LENGTH);
  readonly #line: LineUsage = {
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

  constructor() {
    const memory = FormMemory.open();
    this.#forms = memory && new AnswerForms(memory);
    this.buffer = memory?.bytes ?? scanBuffer();
    this.messages = new FileMessages(memory?.view.buffer);
  }

  /** Reads whole lines of `buffer`, up to one that is of no known form: where that begins, or `end`. It is left to `read`. */
  readKnown(start: number, end: number): number {
    this.messages.makeRoom();
    return this.#forms?.scan(start, end) ?? start;
  }

  /** Reads any line, and learns its form. */
  read(bytes: Buffer, start: number, end: number): void {
    const skimmer = this.#skimmer;
    const isAnswer = skimmer.skim(bytes, start, end);
    const modelOf = (): number => {
      const model = textOf(bytes, skimmer.model);
      return model === SYNTHETIC ? NO_MODEL : this.messages.modelIndex(model);
    };
    this.#forms?.learn(skimmer, bytes, { start, end, isAnswer, modelOf });
    if (!isAnswer || skimmer.usage.start < 0 || !readCounts(bytes, skimmer.usage, this.#counts)) return;
    const line = this.#line;
    line.model = textOf(bytes, skimmer.model);
    if (line.model === SYNTHETIC) return;
    takeCounts(this.#counts, line);
    line.key = keyOf(skimmer, bytes, { start, end });
    line.at = momentOf(bytes, skimmer.timestamp);
    line.contentBytes = skimmer.contentBytes;
    line.flags = flagsOf(skimmer);
    this.messages.add(line);
  }
}

/** The model of what a client says by itself. */
const SYNTHETIC = "<synthetic>";

function textOf(bytes: Buffer, { start, end }: Range): string {
  return start < 0 ? "" : bytes.toString("utf8", start, end);
}

// Gateways omit the request id. A line without a message id is a message of its own, and so is its copy's.
function keyOf({ messageId, requestId, uuid }: LineSkimmer, bytes: Buffer, line: Range): number {
  if (messageId.start < 0) {
    const own = uuid.start < 0 ? line : uuid;
    return hashId(bytes, own.start, own.end);
  }
  const id = hashId(bytes, messageId.start, messageId.end);
  return requestId.start < 0 ? id : joinHashes(id, hashId(bytes, requestId.start, requestId.end));
}

const HIGH = 0x1_0000_0000;

function joinHashes(a: number, b: number): number {
  const low = ((a >>> 0) ^ Math.imul(b >>> 0, KEY_PRIME)) >>> 0;
  const high = Math.floor(a / HIGH) ^ Math.floor(b / HIGH);
  return high * HIGH + low;
}

/** The moment that `2026-03-04T05:06:07.890Z` tells, read digit by digit; whatever looks different is left to Date. */
function momentOf(bytes: Buffer, { start, end }: Range): number {
  if (start < 0) return Number.NaN;
  if (end - start === ISO_LENGTH && bytes[end - 1] === LETTER_Z) {
    const moment =
      Date.UTC(
        two(bytes, start) * 100 + two(bytes, start + 2),
        two(bytes, start + 5) - 1,
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

const ISO_LENGTH = 24;
const LETTER_Z = 0x5a;
