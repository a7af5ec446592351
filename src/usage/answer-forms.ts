import { answerFormBytesMax, answerFormsMax } from "../format/limits.ts";
import { CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, QUOTE } from "../lib/json-bytes.ts";
import type { LineSkimmer, Range } from "../store/skim-line.ts";
import { type AnswerFacts, flagsOf } from "./answer-facts.ts";
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
  readonly counts: Float64Array = new Float64Array(COUNTS_LENGTH);
  flags = 0;
  contentBytes = 0;

  /** Wanted by nobody, but another one in every line. */
  readonly #parentUuid: Range = { start: -1, end: -1 };
  readonly #heads = new FormTree<Head>();
  readonly #line: Range = { start: 0, end: 0 };
  #bytes: Buffer | undefined;
  #view: DataView = new DataView(new ArrayBuffer(0));

  /** "other" for a line that is no answer, "unknown" for one that must be skimmed. */
  match(bytes: Buffer, start: number, end: number): "answer" | "other" | "unknown" {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    this.#forget();
    this.#line.start = start;
    this.#line.end = end;
    const head = this.#heads.match(bytes, this.#view, this.#line);
    if (!head) return "unknown";
    if (head === "other") return "other";
    return this.#matchTail(head, bytes, this.#heads.end - 1) ? "answer" : "unknown";
  }

  #forget(): void {
    this.messageId.start = this.requestId.start = this.uuid.start = -1;
    this.timestamp.start = this.model.start = -1;
    for (let i = 0; i < COUNTS_LENGTH; i++) this.counts[i] = 0;
  }

  // What follows the content has nearly the same length in all lines: only there its beginning is looked for.
  #matchTail({ tails, shortest, longest }: AnswerHead, bytes: Buffer, contentStart: number): boolean {
    const line = this.#line;
    const { end } = line;
    const last = end - shortest + TAIL_SLACK_BYTES;
    for (let at = Math.max(contentStart, end - longest - TAIL_SLACK_BYTES); at <= last; at++) {
      if (bytes[at] !== CLOSE_BRACKET || bytes[at + 1] !== COMMA) continue;
      line.start = at;
      const tail = tails.match(bytes, this.#view, line);
      if (!tail || tails.end !== end) continue;
      this.contentBytes = plainContentBytes(bytes, contentStart, at + 1);
      this.flags = tail.flags;
      return this.contentBytes >= 0;
    }
    return false;
  }

  /** Takes a line that fitted no form, and was skimmed, for the form of others. */
  learn(skimmer: LineSkimmer, bytes: Buffer, { start, end, isAnswer }: Range & { isAnswer: boolean }): void {
    const { type, content, usage, messageId, parentUuid } = skimmer;
    const gap = (at: number): GapTarget =>
      at === type.start ? "literal" : at === parentUuid.start ? this.#parentUuid : "nowhere";
    // Whoever writes every line in a form of its own does not keep out those who do not.
    if (this.#heads.count >= answerFormsMax) this.#heads.clear();
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
      tails: new FormTree(),
      shortest: length,
      longest: length,
    }));
    if (head === "other") return;
    head.shortest = Math.min(head.shortest, length);
    head.longest = Math.max(head.longest, length);
    if (head.tails.count >= answerFormsMax) head.tails.clear();
    head.tails.add(bytes, { start: content.end - 1, end }, target, () => ({ flags: flagsOf(skimmer) }));
  }

  /** Where the values of which gaps belong; undefined when the counts are written in an unusual way. */
  #targets(
    { messageId, requestId, uuid, timestamp, model, usage }: LineSkimmer,
    bytes: Buffer,
  ): Map<number, GapTarget> | undefined {
    const targets = new Map<number, GapTarget>([
      [messageId.start, this.messageId],
      [requestId.start, this.requestId],
      [uuid.start, this.uuid],
      [timestamp.start, this.timestamp],
      [model.start, this.model],
    ]);
    const { counts } = this;
    const isPlain = findCounts(bytes, usage, (index, _value, at) => {
      targets.set(at, { numbers: counts, index });
    });
    return isPlain ? targets : undefined;
  }
}

/** How the lines of an answer go on behind their content. */
interface AnswerHead {
  tails: FormTree<{ flags: number }>;
  /** Lengths seen. */
  shortest: number;
  longest: number;
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
