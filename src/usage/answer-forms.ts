import { answerFormBytesMax, answerFormsMax } from "../format/limits.ts";
import { CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, QUOTE } from "../lib/json-bytes.ts";
import type { LineSkimmer, Range } from "../store/skim-line.ts";
import { type AnswerFacts, flagsOf } from "./answer-facts.ts";
import type { FormMemory } from "./form-memory.ts";
import { FormTree, type GapTarget } from "./form-tree.ts";
import { COUNTS_LENGTH, findCounts } from "./read-counts.ts";

/**
 * Knows the few forms in which a client writes its lines: how they begin, up to the content of an answer, and how they
 * end behind it. They are learned from lines that were skimmed; what fits none is skimmed, so a new client costs time,
 * never a token. After `match` says "answer", the facts of that line are here.
 */
export class AnswerForms implements AnswerFacts {
  readonly messageId: Range = { start: -1, end: -1 };
  readonly requestId: Range = { start: -1, end: -1 };
  readonly uuid: Range = { start: -1, end: -1 };
  readonly timestamp: Range = { start: -1, end: -1 };
  readonly model: Range = { start: -1, end: -1 };
  readonly counts: Float64Array;
  flags = 0;
  contentBytes = 0;

  readonly #texts: readonly Range[] = [this.messageId, this.requestId, this.uuid, this.timestamp, this.model];
  readonly #memory: FormMemory;
  /** Of the memory: where the texts and the counts of a line are noted, and behind them what nobody wants. */
  readonly #notes: Int32Array;
  readonly #formsStart: number;
  #heads: FormTree<Head>;

  constructor(memory: FormMemory) {
    this.#memory = memory;
    const { buffer } = memory.view;
    const textsLength = this.#texts.length * NOTE_BYTES;
    const address = memory.take(textsLength + (COUNTS_LENGTH + 1) * NOTE_BYTES);
    this.#notes = new Int32Array(buffer, address, (textsLength + COUNTS_LENGTH * NOTE_BYTES) / 4);
    this.counts = new Float64Array(buffer, address + textsLength, COUNTS_LENGTH);
    this.#formsStart = memory.take(0);
    this.#heads = new FormTree(memory);
  }

  /** "other" for a line that is no answer, "unknown" for one that must be skimmed. The line stands in the memory. */
  match(start: number, end: number): "answer" | "other" | "unknown" {
    this.#notes.fill(0);
    const head = this.#heads.match(start, end);
    if (!head) return "unknown";
    if (head === "other") return "other";
    if (!this.#matchTail(head, this.#memory.end - 1, end)) return "unknown";
    for (let i = 0; i < this.#texts.length; i++) {
      this.#texts[i]!.start = this.#notes[i * 2]! - this.#memory.bytesStart;
      this.#texts[i]!.end = this.#notes[i * 2 + 1]! - this.#memory.bytesStart;
    }
    return "answer";
  }

  // What follows the content has nearly the same length in all lines: only there its beginning is looked for, beginning
  // with where it was the last time.
  #matchTail(head: AnswerHead, contentStart: number, end: number): boolean {
    const first = Math.max(contentStart + 1, end - head.longest - TAIL_SLACK_BYTES);
    const last = end - head.shortest + TAIL_SLACK_BYTES;
    const latest = end - head.latest;
    for (let distance = 0; latest - distance >= first || latest + distance <= last; distance++) {
      const at = this.#isContentEnd(latest - distance) ? latest - distance : latest + distance;
      if (at < first || at > last || !this.#isContentEnd(at)) continue;
      const tail = head.tails.match(at, end);
      if (!tail || this.#memory.end !== end) continue;
      head.latest = end - at;
      this.contentBytes = plainContentBytes(this.#memory.bytes, contentStart, at + 1);
      this.flags = tail.flags;
      return this.contentBytes >= 0;
    }
    return false;
  }

  #isContentEnd(at: number): boolean {
    const { bytes } = this.#memory;
    return bytes[at] === CLOSE_BRACKET && bytes[at + 1] === COMMA;
  }

  /** Takes a line that fitted no form, and was skimmed, for the form of others. */
  learn(skimmer: LineSkimmer, bytes: Buffer, { start, end, isAnswer }: Range & { isAnswer: boolean }): void {
    const { type, content, usage, messageId } = skimmer;
    const nowhere = this.counts.byteOffset + COUNTS_LENGTH * NOTE_BYTES;
    const gap = (at: number): GapTarget => (at === type.start ? "literal" : nowhere);
    // Whoever writes every line in a form of its own does not keep out those who do not.
    if (this.#heads.count >= answerFormsMax || this.#memory.isFull) {
      this.#memory.giveBack(this.#formsStart);
      this.#heads = new FormTree(this.#memory);
    }
    if (!isAnswer) {
      // A line of another type was given up where its type stands. One that is damaged has no form.
      if (type.start >= 0 && !isAssistant(bytes, type) && type.end - start <= answerFormBytesMax)
        this.#heads.add(bytes, { start, end: type.end + 1 }, gap, () => "other");
      return;
    }
    if (content.start < 0 || usage.start < content.end || messageId.start < 0) return;
    const length = end - content.end + 1;
    if (content.start - start > answerFormBytesMax || length > answerFormBytesMax) return;
    const targets = this.#targets(skimmer, bytes);
    if (!targets) return;
    const target = (at: number): GapTarget => targets.get(at) ?? gap(at);
    const head = this.#heads.add(bytes, { start, end: content.start + 1 }, target, () => ({
      tails: new FormTree(this.#memory),
      shortest: length,
      longest: length,
      latest: length,
    }));
    if (head === "other") return;
    head.shortest = Math.min(head.shortest, length);
    head.longest = Math.max(head.longest, length);
    if (head.tails.count >= answerFormsMax) head.tails = new FormTree(this.#memory);
    head.tails.add(bytes, { start: content.end - 1, end }, target, () => ({ flags: flagsOf(skimmer) }));
  }

  /** Where the values of which gaps belong; undefined when the counts are written in an unusual way. */
  #targets(skimmer: LineSkimmer, bytes: Buffer): Map<number, GapTarget> | undefined {
    const { messageId, requestId, uuid, timestamp, model, usage } = skimmer;
    const targets = new Map<number, GapTarget>();
    // In the order of #texts.
    [messageId, requestId, uuid, timestamp, model].forEach(({ start }, index) => {
      targets.set(start, this.#notes.byteOffset + index * NOTE_BYTES);
    });
    const isPlain = findCounts(bytes, usage, (index, _value, at) => {
      targets.set(at, this.counts.byteOffset + index * NOTE_BYTES);
    });
    return isPlain ? targets : undefined;
  }
}

/** A text's two ends, or a number. */
const NOTE_BYTES = 8;

/** How the lines of an answer go on behind their content. */
interface AnswerHead {
  tails: FormTree<{ flags: number }>;
  /** Lengths seen. */
  shortest: number;
  longest: number;
  latest: number;
}

type Head = AnswerHead | "other";

// Counts have a digit more or less.
const TAIL_SLACK_BYTES = 24;

/**
 * How much the content between a head and a tail says, without the signature of its thinking; -1 when that takes a
 * closer look. `{"` cannot stand inside a text, so these are all objects: with one that is no value of a key there are
 * several blocks, and with a `message` it is not one line but the beginning of one and the end of another.
 */
function plainContentBytes(bytes: Buffer, start: number, end: number): number {
  if (bytes[start + 1] !== OPEN_BRACE) return -1;
  let object = bytes.indexOf(OBJECT, start + 2);
  while (object >= 0 && object < end) {
    if (bytes[object - 1] !== COLON || endsWith(bytes, object, MESSAGE_KEY)) return -1;
    object = bytes.indexOf(OBJECT, object + 2);
  }
  if (!endsWith(bytes, start + THINKING.length, THINKING)) return end - start;
  // It is base64, and the last in its block.
  const signature = bytes.lastIndexOf(QUOTE, end - 4) + 1;
  return endsWith(bytes, signature, SIGNATURE_KEY) && endsWith(bytes, end, BLOCK_END)
    ? end - start - (end - BLOCK_END.length - signature)
    : -1;
}

const OBJECT = Buffer.from('{"');
const MESSAGE_KEY = Buffer.from('"message":');
const THINKING = Buffer.from('[{"type":"thinking"');
const SIGNATURE_KEY = Buffer.from('"signature":"');
const BLOCK_END = Buffer.from('"}]');

function endsWith(bytes: Buffer, end: number, text: Buffer): boolean {
  for (let i = 1; i <= text.length; i++) if (bytes[end - i] !== text[text.length - i]) return false;
  return true;
}

function isAssistant(bytes: Buffer, { start, end }: Range): boolean {
  return bytes.toString("latin1", start, end) === "assistant";
}
