import { answerFormBytesMax, answerFormsMax } from "../format/limits.ts";
import type { LineSkimmer } from "../store/skim-line.ts";
import type { Range } from "../store/skimmed-keys.ts";
import type { FormMemory } from "./form-memory.ts";
import { FormTree, type GapTarget } from "./form-tree.ts";
import { MessageFlag } from "./message-table.ts";
import { findCounts } from "./read-counts.ts";
import { Note } from "./scan-layout.ts";
import { HEAD_BYTES, HeadField, OTHER_HEAD, TAIL_BYTES, TailField } from "./scan-lines-program.ts";

/**
 * Knows the few forms in which a client writes its lines: how they begin, up to the content of an answer, and how they
 * end behind it. They are learned from lines that were skimmed; what fits none is skimmed, so a new client costs time,
 * never a token.
 */
export class AnswerForms {
  readonly #memory: FormMemory;
  readonly #start: number;
  #heads: FormTree;
  #headsByAddress = new Map<number, Head>();

  constructor(memory: FormMemory) {
    this.#memory = memory;
    this.#start = memory.take(0);
    this.#heads = new FormTree(memory);
  }

  /** Goes through whole lines of the memory's bytes (scanLinesProgram): where it stopped. */
  scan(start: number, end: number): number {
    return this.#memory.scan(this.#heads.first, start, end);
  }

  /** Takes a line that fitted no form, and was skimmed, for the form of others. `modelOf` gives the number of its model. */
  learn(
    skimmer: LineSkimmer,
    bytes: Buffer,
    { start, end, isAnswer, modelOf }: Range & { isAnswer: boolean; modelOf: () => number },
  ): void {
    const { type, model, content, usage, messageId } = skimmer;
    const gap = (at: number): GapTarget =>
      at === type.start || at === model.start ? "literal" : Note.unwanted;
    // Whoever writes every line in a form of its own does not keep out those who do not.
    if (this.#heads.count >= answerFormsMax || this.#memory.isFull) this.#forget();
    if (!isAnswer) {
      // A line of another type was given up where its type stands. One that is damaged has no form.
      if (type.start >= 0 && !isAssistant(bytes, type) && type.end - start <= answerFormBytesMax)
        this.#heads.add(bytes, { start, end: type.end + 1 }, gap, () => OTHER_HEAD);
      return;
    }
    if (content.start < 0 || usage.start < content.end || messageId.start < 0) return;
    const length = end - content.end + 1;
    if (content.start - start > answerFormBytesMax || length > answerFormBytesMax) return;
    const targets = targetsOf(skimmer, bytes);
    if (!targets) return;
    const target = (at: number): GapTarget => targets.get(at) ?? gap(at);
    const address = this.#heads.add(bytes, { start, end: content.start + 1 }, target, () => this.#addHead());
    const head = this.#headsByAddress.get(address);
    if (!head) return;
    if (head.tails.count >= answerFormsMax) head.tails = new FormTree(this.#memory);
    head.shortest = Math.min(head.shortest, length);
    head.longest = Math.max(head.longest, length);
    const { view } = this.#memory;
    head.tails.add(bytes, { start: content.end - 1, end }, target, () => {
      const tail = this.#memory.take(TAIL_BYTES);
      view.setInt32(tail + TailField.model, modelOf(), true);
      view.setInt32(tail + TailField.flags, flagsOf(skimmer), true);
      return tail;
    });
    view.setInt32(address + HeadField.tails, head.tails.first, true);
    view.setInt32(address + HeadField.shortest, head.shortest, true);
    view.setInt32(address + HeadField.longest, head.longest, true);
    view.setInt32(address + HeadField.latest, length, true);
  }

  #addHead(): number {
    const address = this.#memory.take(HEAD_BYTES);
    this.#headsByAddress.set(address, {
      tails: new FormTree(this.#memory),
      shortest: Infinity,
      longest: 0,
    });
    return address;
  }

  #forget(): void {
    this.#memory.giveBack(this.#start);
    this.#heads = new FormTree(this.#memory);
    this.#headsByAddress = new Map();
  }
}

/** How the lines of an answer go on behind their content. */
interface Head {
  tails: FormTree;
  /** Lengths seen. */
  shortest: number;
  longest: number;
}

export function flagsOf({ stopReason, isSidechain }: LineSkimmer): number {
  return (stopReason.start < 0 ? 0 : MessageFlag.stopped) | (isSidechain ? MessageFlag.sidechain : 0);
}

/** Where the values of which gaps belong; undefined when the counts are written in an unusual way. */
function targetsOf(skimmer: LineSkimmer, bytes: Buffer): Map<number, GapTarget> | undefined {
  const { messageId, requestId, timestamp, usage } = skimmer;
  const targets = new Map<number, GapTarget>();
  targets.set(messageId.start, Note.messageId);
  targets.set(requestId.start, Note.requestId);
  targets.set(timestamp.start, Note.timestamp);
  const isPlain = findCounts(bytes, usage, (index, _value, at) => {
    targets.set(at, Note.counts + index * COUNT_BYTES);
  });
  return isPlain ? targets : undefined;
}

const COUNT_BYTES = 8;

function isAssistant(bytes: Buffer, { start, end }: Range): boolean {
  return bytes.toString("latin1", start, end) === "assistant";
}
