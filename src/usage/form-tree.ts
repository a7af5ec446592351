import { BACKSLASH, COLON, NINE, QUOTE, ZERO } from "../lib/json-bytes.ts";
import type { Range } from "../store/skim-line.ts";

/** A text's place goes into a range, a number into an array; a text that must be the same in every line has no gap. */
export type GapTarget = "literal" | "nowhere" | Range | { numbers: Float64Array; index: number };

/**
 * The forms of lines: what they have in common, byte for byte, with gaps where they differ: the values of strings, and
 * numbers. Whatever fits a form has the structure of the line that the form was made from, at a fraction of the cost of
 * finding that out. Forms that begin alike share that beginning.
 */
export class FormTree<Leaf> {
  /** Behind what matched last. */
  end = 0;
  count = 0;
  #roots: Node<Leaf>[] = [];

  /** Notes the values in the gaps; undefined where the bytes have a form that is not known. */
  match(bytes: Buffer, view: DataView, { start, end }: Range): Leaf | undefined {
    let nodes = this.#roots;
    let at = start;
    // Since which node, and place, there were only gaps whose values are mostly the same.
    let runNode: Node<Leaf> | undefined;
    let runStart = start;
    let i = 0;
    while (i < nodes.length) {
      let node = nodes[i]!;
      let next = passLiteral(node, bytes, view, at, end);
      if (next < 0) {
        i++;
        continue;
      }
      // The most frequent come first.
      node.uses++;
      if (i > 0 && node.uses > nodes[i - 1]!.uses) [nodes[i - 1], nodes[i]] = [node, nodes[i - 1]!];
      if (node.varies && runNode && runNode.next !== nodes)
        keepRun(runNode, node, bytes.subarray(runStart, next));
      for (;;) {
        next = passGap(node, bytes, next, end);
        if (next < 0) return undefined;
        if (node.leaf !== undefined) {
          this.end = next;
          return node.leaf;
        }
        if (!node.varies) break;
        runNode = node;
        runStart = next;
        const run = findRun(node, bytes, view, next, end);
        if (!run) break;
        next += run.length;
        node = run.to;
      }
      at = next;
      nodes = node.next;
      i = 0;
    }
    return undefined;
  }

  /**
   * Takes bytes of a line that is known to be whole JSON for a form, unless it is known; returns its leaf. `target` says
   * where the value at a place is wanted.
   */
  add(bytes: Buffer, { start, end }: Range, target: (at: number) => GapTarget, makeLeaf: () => Leaf): Leaf {
    let nodes = this.#roots;
    let from = start;
    let at = start;
    const step = (to: number, gap: Gap, wanted: GapTarget): Node<Leaf> => {
      const literal = bytes.subarray(from, to);
      let node = nodes.find((each) => each.gap === gap && each.literal.equals(literal));
      if (!node) nodes.push((node = nodeOf(literal, gap, wanted)));
      nodes = node.next;
      return node;
    };
    while (at < end) {
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        const close = textEnd(bytes, at + 1, end);
        const wanted = isKey(bytes, close + 1) ? "literal" : target(at + 1);
        if (wanted !== "literal") {
          step(at + 1, "text", wanted);
          from = close;
        }
        at = close + 1;
      } else if (byte >= ZERO && byte <= NINE) {
        step(at, "number", target(at));
        while (bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
        from = at;
      } else at++;
    }
    const last = step(end, "none", "nowhere");
    if (last.leaf === undefined) {
      last.leaf = makeLeaf();
      this.count++;
    }
    return last.leaf;
  }

  clear(): void {
    this.#roots = [];
    this.count = 0;
  }
}

type Gap = "text" | "number" | "none";

/** Literal bytes with the gap that follows them. */
interface Node<Leaf> {
  literal: Buffer;
  length: number;
  /** The literal for comparing: whole words, and the up to three bytes behind them. */
  words: Int32Array;
  rest: Uint8Array;
  gap: Gap;
  /** Whether the value in the gap is another one in most lines, wanted or not. */
  varies: boolean;
  range: Range;
  numbers: Float64Array;
  index: number;
  uses: number;
  /** What followed lately, up to the next gap that varies: mostly it is the same in every line of a session. */
  runs: Run<Leaf>[];
  runsCost: number;
  next: Node<Leaf>[];
  leaf: Leaf | undefined;
}

interface Run<Leaf> {
  length: number;
  words: Int32Array;
  rest: Uint8Array;
  to: Node<Leaf>;
}

function nodeOf<Leaf>(bytes: Buffer, gap: Gap, target: GapTarget): Node<Leaf> {
  const isPlace = typeof target === "object";
  return {
    literal: Buffer.from(bytes),
    ...wordsOf(bytes),
    gap,
    varies: isPlace || gap !== "text",
    range: isPlace && "start" in target ? target : { start: -1, end: -1 },
    numbers: isPlace && "numbers" in target ? target.numbers : new Float64Array(1),
    index: isPlace && "numbers" in target ? target.index : 0,
    uses: 0,
    runs: [],
    runsCost: 0,
    next: [],
    leaf: undefined,
  };
}

function wordsOf(bytes: Buffer): { length: number; words: Int32Array; rest: Uint8Array } {
  const words = new Int32Array(bytes.length >> 2);
  for (let i = 0; i < words.length; i++) words[i] = bytes.readInt32LE(i * 4);
  return { length: bytes.length, words, rest: new Uint8Array(bytes.subarray(words.length * 4)) };
}

/** The place behind these bytes; -1 where there are others. */
function passLiteral(
  { length, words, rest }: { length: number; words: Int32Array; rest: Uint8Array },
  bytes: Buffer,
  view: DataView,
  start: number,
  end: number,
): number {
  if (start + length > end) return -1;
  let at = start;
  for (let i = 0; i < words.length; i++, at += 4) if (view.getInt32(at, true) !== words[i]) return -1;
  for (let i = 0; i < rest.length; i++, at++) if (bytes[at] !== rest[i]) return -1;
  return at;
}

function passGap(node: Node<unknown>, bytes: Buffer, start: number, end: number): number {
  if (node.gap === "text") {
    const close = textEnd(bytes, start, end);
    node.range.start = start;
    node.range.end = close;
    return close;
  }
  if (node.gap === "none") return start;
  let at = start;
  let value = 0;
  while (at < end && bytes[at]! >= ZERO && bytes[at]! <= NINE) value = value * 10 + bytes[at++]! - ZERO;
  node.numbers[node.index] = value;
  return at === start ? -1 : at;
}

const RUNS_MAX = 3;
// Keeping one costs more than finding one saves: what seldom comes again is not kept.
const RUN_COST = 4;
const RUNS_COST_MAX = 64;

function findRun<Leaf>(
  node: Node<Leaf>,
  bytes: Buffer,
  view: DataView,
  start: number,
  end: number,
): Run<Leaf> | undefined {
  const { runs } = node;
  for (let i = 0; i < runs.length; i++) {
    if (passLiteral(runs[i]!, bytes, view, start, end) < 0) continue;
    if (node.runsCost > 0) node.runsCost--;
    return runs[i];
  }
  return undefined;
}

function keepRun<Leaf>(from: Node<Leaf>, to: Node<Leaf>, bytes: Buffer): void {
  if (from.runsCost >= RUNS_COST_MAX) return;
  from.runsCost += RUN_COST;
  if (from.runs.length === RUNS_MAX) from.runs.pop();
  from.runs.unshift({ ...wordsOf(bytes), to });
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
