import type { Entry } from "../../format/index.ts";

/** What a line is, as far as finding things needs it. */
export const lineKinds = [
  "rejected",
  "user",
  "assistant",
  "system",
  "progress",
  "attachment",
  "queue-operation",
  "other",
] as const;
export type LineKind = (typeof lineKinds)[number];

export const Flag = {
  sidechain: 1,
  compactSummary: 2,
  compactBoundary: 4,
  preserved: 8,
  /** The parent column holds logicalParentUuid, because parentUuid is null. */
  logicalParent: 16,
  meta: 32,
  /** A line of the client's about a request that failed. */
  apiError: 64,
  /** It names answers that were taken back. */
  retraction: 128,
  /** A block of its content is neither the use of a tool nor the result of one. */
  otherBlocks: 256,
} as const;

/**
 * The facts of every line in a range of a transcript, in columns: about 60 bytes a line, so a 1 GB session
 * costs 15 MB. Ids are 53-bit hashes (exact in a double): whoever returns an
 * entry parses its line and thereby sees the true id.
 */
export class LineTable {
  /** Byte range of the file that the table describes; `to` is behind the last whole line. */
  from = 0;
  to = 0;
  count = 0;
  offset: Float64Array = new Float64Array(LINES_MIN);
  length: Uint32Array = new Uint32Array(LINES_MIN);
  kind: Uint8Array = new Uint8Array(LINES_MIN);
  flags: Uint16Array = new Uint16Array(LINES_MIN);
  uuid: Float64Array = new Float64Array(LINES_MIN);
  parent: Float64Array = new Float64Array(LINES_MIN);
  message: Float64Array = new Float64Array(LINES_MIN);

  /** Tool ids: which line names which, as a use or as a result. */
  toolCount = 0;
  toolLine: Uint32Array = new Uint32Array(LINES_MIN);
  toolId: Float64Array = new Float64Array(LINES_MIN);
  toolIsResult: Uint8Array = new Uint8Array(LINES_MIN);

  /** Entries by offset, where the lines were parsed while the table was made. */
  parsed: Map<number, Entry> | undefined;

  #byUuid: Map<number, number> | undefined;
  #copies: Map<number, number[]> | undefined;

  kindOf(line: number): LineKind {
    return lineKinds[this.kind[line]!]!;
  }

  has(line: number, flag: number): boolean {
    return (this.flags[line]! & flag) !== 0;
  }

  /** The last line that carries this uuid; undefined when none in the range does. */
  findByUuid(uuid: number): number | undefined {
    return this.#lines().get(uuid);
  }

  /**
   * The line that a parent's uuid means to a line: the last one above it that carries it, else the last of all. A client may
   * write an entry again with the same uuid; what was said before that hangs on the first one.
   */
  parentFor(line: number, uuid: number = this.parent[line]!): number | undefined {
    const last = this.#lines().get(uuid);
    if (last === undefined || last < line) return last;
    return this.#copies!.get(uuid)?.findLast((copy) => copy < line) ?? last;
  }

  /** Every line with the uuid of this one, in file order, where there are several. */
  copiesOf(line: number): readonly number[] {
    this.#lines();
    return (this.#copies!.size > 0 && this.#copies!.get(this.uuid[line]!)) || NO_COPIES;
  }

  #lines(): Map<number, number> {
    if (this.#byUuid !== undefined) return this.#byUuid;
    const byUuid = new Map<number, number>();
    const copies = new Map<number, number[]>();
    for (let line = 0; line < this.count; line++) {
      const uuid = this.uuid[line]!;
      if (uuid === 0) continue;
      const { size } = byUuid;
      byUuid.set(uuid, line);
      if (byUuid.size === size) copies.set(uuid, []);
    }
    // Few lines stand twice, so only where one does are all looked at once more.
    for (let line = 0; copies.size > 0 && line < this.count; line++) copies.get(this.uuid[line]!)?.push(line);
    this.#copies = copies;
    return (this.#byUuid = byUuid);
  }

  /** Whether the line carries a tool result. Tool rows are in line order, so a binary search finds them. */
  answersTool(line: number): boolean {
    let low = 0;
    let high = this.toolCount;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.toolLine[middle]! < line) low = middle + 1;
      else high = middle;
    }
    for (let row = low; row < this.toolCount && this.toolLine[row] === line; row++) {
      if (this.toolIsResult[row] === 1) return true;
    }
    return false;
  }

  addLine(): number {
    if (this.count === this.offset.length) this.#growLines();
    this.#byUuid = undefined;
    return this.count++;
  }

  addTool(line: number, id: number, isResult: boolean): void {
    if (this.toolCount === this.toolLine.length) this.#growTools();
    this.toolLine[this.toolCount] = line;
    this.toolId[this.toolCount] = id;
    this.toolIsResult[this.toolCount] = isResult ? 1 : 0;
    this.toolCount++;
  }

  /** Puts behind these lines those of a table that begins where they end. */
  append(later: LineTable): void {
    while (this.offset.length < this.count + later.count) this.#growLines();
    for (const column of LINE_COLUMNS) this[column].set(later[column].subarray(0, later.count), this.count);
    for (let tool = 0; tool < later.toolCount; tool++)
      this.addTool(this.count + later.toolLine[tool]!, later.toolId[tool]!, later.toolIsResult[tool] === 1);
    const first = this.count;
    this.count += later.count;
    this.to = Math.max(this.to, later.to);
    this.#addUuids(first);
  }

  // To make the map anew would take longer than all else that is done when a line is appended to a long transcript.
  #addUuids(first: number): void {
    const byUuid = this.#byUuid;
    if (byUuid === undefined) return;
    for (let line = first; line < this.count; line++) {
      const uuid = this.uuid[line]!;
      if (uuid === 0) continue;
      if (byUuid.has(uuid)) {
        this.#byUuid = undefined;
        return;
      }
      byUuid.set(uuid, line);
    }
  }

  /** How many lines are before `to`: all but the one that its writer has not finished. */
  get finished(): number {
    let count = this.count;
    while (count > 0 && this.offset[count - 1]! >= this.to) count--;
    return count;
  }

  /** Takes back the line that its writer had not finished, to describe it anew. */
  dropUnfinished(): void {
    this.count = this.finished;
  }

  #growLines(): void {
    const size = Math.max(LINES_MIN, this.offset.length * 2);
    this.offset = grown(this.offset, new Float64Array(size));
    this.length = grown(this.length, new Uint32Array(size));
    this.kind = grown(this.kind, new Uint8Array(size));
    this.flags = grown(this.flags, new Uint16Array(size));
    this.uuid = grown(this.uuid, new Float64Array(size));
    this.parent = grown(this.parent, new Float64Array(size));
    this.message = grown(this.message, new Float64Array(size));
  }

  #growTools(): void {
    const size = Math.max(LINES_MIN, this.toolLine.length * 2);
    this.toolLine = grown(this.toolLine, new Uint32Array(size));
    this.toolId = grown(this.toolId, new Float64Array(size));
    this.toolIsResult = grown(this.toolIsResult, new Uint8Array(size));
  }
}

const NO_COPIES: readonly number[] = [];
/** A table of the end of a transcript seldom has to grow. */
const LINES_MIN = 256;
const LINE_COLUMNS = ["offset", "length", "kind", "flags", "uuid", "parent", "message"] as const;

/** A 53-bit hash of an id's bytes, never 0: 0 stands for "none" in every column. */
export function hashId(bytes: Uint8Array, start = 0, end: number = bytes.length): number {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  // Mixed in place: a process that has just started would spend its time on calls.
  for (let i = start; i < end; i++) {
    a = Math.imul(a ^ bytes[i]!, 0x01000193);
    b = Math.imul(b ^ bytes[i]!, 0x85ebca6b) ^ (b >>> 15);
  }
  return (b & 0x1fffff) * 0x1_0000_0000 + (a >>> 0) || 1;
}

/** The same hash of an id that is text already. */
export function hashText(text: string): number {
  return hashId(Buffer.from(text));
}

function grown<A extends { set(from: A): void }>(from: A, to: A): A {
  to.set(from);
  return to;
}
