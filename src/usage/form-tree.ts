import { BACKSLASH, COLON, NINE, QUOTE, ZERO } from "../lib/json-bytes.ts";
import type { Range } from "../store/skimmed-keys.ts";
import type { FormMemory } from "./form-memory.ts";
import { GapKind, NODE_BYTES, NodeField } from "./match-form-program.ts";

/** How far behind the beginning of a note a value is noted; a text that must be the same in every line has no gap. */
export type GapTarget = "literal" | number;

/**
 * The forms of lines: what they have in common, byte for byte, with gaps where they differ: the values of strings, and
 * numbers. Whatever fits a form has the structure of the line that the form was made from, at a fraction of the cost of
 * finding that out. Forms that begin alike share that beginning.
 */
export class FormTree {
  readonly #memory: FormMemory;
  readonly #root: Node = { address: 0, literal: Buffer.alloc(0), gap: GapKind.none, next: [] };
  #first = 0;
  #count = 0;

  constructor(memory: FormMemory) {
    this.#memory = memory;
  }

  /** How many forms it has. */
  get count(): number {
    return this.#count;
  }

  /** The address of its first node; 0 as long as there is none. */
  get first(): number {
    return this.#first;
  }

  /**
   * Takes bytes of a line that is known to be whole JSON for a form, unless it is known; returns its leaf, a number other than
   * 0. `target` says where the value at a place is wanted.
   */
  add(
    bytes: Buffer,
    { start, end }: Range,
    target: (at: number) => GapTarget,
    makeLeaf: () => number,
  ): number {
    let node = this.#root;
    let from = start;
    let at = start;
    const step = (to: number, gap: number, wanted: number): void => {
      node = this.#enter(node, bytes.subarray(from, to), gap, wanted);
    };
    while (at < end) {
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        const close = textEnd(bytes, at + 1, end);
        const wanted = isKey(bytes, close + 1) ? "literal" : target(at + 1);
        if (wanted !== "literal") {
          step(at + 1, GapKind.text, wanted);
          from = close;
        }
        at = close + 1;
      } else if (byte >= ZERO && byte <= NINE) {
        const wanted = target(at);
        if (wanted !== "literal") {
          step(at, GapKind.number, wanted);
          while (bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
          from = at;
        } else at++;
      } else at++;
    }
    step(end, GapKind.none, 0);
    const { view } = this.#memory;
    const known = view.getInt32(node.address + NodeField.next, true);
    if (known !== 0) return known;
    const leaf = makeLeaf();
    view.setInt32(node.address + NodeField.next, leaf, true);
    this.#count++;
    return leaf;
  }

  /** The node behind another with this literal and this gap, made if there is none. */
  #enter(parent: Node, literal: Buffer, gap: number, target: number): Node {
    const siblings = parent.next;
    const known = siblings.find((each) => each.gap === gap && each.literal.equals(literal));
    if (known) return known;
    const address = this.#memory.take(NODE_BYTES + literal.length);
    const { view } = this.#memory;
    view.setInt32(address + NodeField.literal, address + NODE_BYTES, true);
    view.setInt32(address + NodeField.length, literal.length, true);
    view.setInt32(address + NodeField.gap, gap, true);
    view.setInt32(address + NodeField.target, target, true);
    view.setInt32(address + NodeField.sibling, 0, true);
    view.setInt32(address + NodeField.next, 0, true);
    new Uint8Array(view.buffer, address + NODE_BYTES).set(literal);
    const before = siblings.at(-1);
    if (before) view.setInt32(before.address + NodeField.sibling, address, true);
    else if (parent === this.#root) this.#first = address;
    else view.setInt32(parent.address + NodeField.next, address, true);
    const node = { address, literal: Buffer.from(literal), gap, next: [] };
    siblings.push(node);
    return node;
  }
}

interface Node {
  address: number;
  literal: Buffer;
  gap: number;
  next: Node[];
}

function isKey(bytes: Buffer, behind: number): boolean {
  while (bytes[behind] === 0x20 || bytes[behind] === 0x09 || bytes[behind] === 0x0d) behind++;
  return bytes[behind] === COLON;
}

/** Where the closing quote of a text stands; -1 when it does not before `end`. */
function textEnd(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at;
    if (byte < 0x20) return -1;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return -1;
}
