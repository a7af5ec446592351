import { Flag, type LineTable } from "../line/line-table.ts";

/**
 * Which lines of a table are the conversation that ends at a leaf, in the order in which it was held.
 *
 * The parent walk alone loses messages (docs/format.md, "The graph"), so the path is completed by
 *   - every line that shares a message id with an assistant line on the path,
 *   - every result of a tool use on the path or among those lines,
 *   - the messages that a compaction boundary preserved, which stand before it but belong behind its summary.
 * Where a parent is missing or the walk runs in a circle it goes on at the previous line of the chain, and
 * says so in `gaps`. Every line is visited at most once, so the walk ends whatever the file says.
 */
export interface ConversationWalk {
  lines: number[];
  /** The path itself from root to leaf, with its progress lines: what a copy needs so that no parent is missing. */
  path: number[];
  gaps: WalkGap[];
}

export interface WalkGap {
  /** The line whose parent could not be followed. */
  line: number;
  reason: "missing-parent" | "cycle";
  /** Where the walk went on; undefined when nothing was left before it. */
  bridgedTo: number | undefined;
}

/**
 * Those in which something is amiss. A boundary whose logical parent was never written is none (a third of real ones are
 * so), nor is a first line whose parent is in another file.
 */
export function brokenGaps(table: LineTable, { gaps }: Pick<ConversationWalk, "gaps">): WalkGap[] {
  return gaps.filter(
    ({ line, reason, bridgedTo }) =>
      !table.has(line, Flag.compactBoundary) && (reason === "cycle" || bridgedTo !== undefined),
  );
}

export interface WalkOptions {
  /** The line to end at. */
  leaf: number;
  /** `full` goes on across compaction boundaries, `context` ends at the newest one: what a resume gives the model. */
  mode: "full" | "context";
  /** Stop once this many lines are certain. */
  last?: number | undefined;
  /** What a boundary with the `preserved` flag preserved; undefined when the table has no line to put it behind. */
  preservedBy: (boundary: number) => Preserved | undefined;
}

export interface Preserved {
  /** The line that the preserved ones follow: the summary. */
  anchor: number;
  /** In the order of the conversation. */
  lines: number[];
  /** False when some of them are not in the table. */
  complete: boolean;
}

/** Answered when the table does not reach back far enough; the caller scans more and walks again. */
export const needsEarlierLines: unique symbol = Symbol("needs earlier lines");

/** Returns the walk, or `needsEarlierLines` when the table starts too late in the file to know. */
export function walkConversation(
  table: LineTable,
  options: WalkOptions,
): ConversationWalk | typeof needsEarlierLines {
  const walk = new PathWalk(table, options);
  if (!walk.run()) return needsEarlierLines;
  const path = walk.path.reverse();
  const lines = completePath(table, path, walk).filter((line) => table.kindOf(line) !== "progress");
  return { lines: options.last === undefined ? lines : lastOf(lines, options.last), path, gaps: walk.gaps };
}

/** The last so many; `slice` alone takes a negative zero for the beginning. */
export function lastOf<T>(items: T[], count: number): T[] {
  return items.slice(Math.max(0, items.length - count));
}

/**
 * The leaf that a resume would take: the last message of the main chain, or what hangs behind it (a turn's
 * closing system line, a queued prompt). Sub-agent files consist of sidechain lines only, and are walked as such.
 * A compaction boundary without its summary is no leaf: the compaction was cut off, and nothing took its place.
 */
export function findDefaultLeaf(table: LineTable): number | typeof needsEarlierLines | undefined {
  const main = findLeaf(table, (line) => !table.has(line, Flag.sidechain));
  if (main !== undefined) return main;
  return table.from > 0 ? needsEarlierLines : findLeaf(table, () => true);
}

function findLeaf(table: LineTable, isOnChain: (line: number) => boolean): number | undefined {
  let last: number | undefined;
  for (let line = table.count - 1; line >= 0; line--) {
    if (!isOnChain(line) || table.uuid[line] === 0 || table.has(line, Flag.compactBoundary)) continue;
    const kind = table.kindOf(line);
    if (kind === "system" || kind === "attachment") last ??= line;
    if (kind !== "user" && kind !== "assistant") continue;
    return last !== undefined && descendsFrom(table, last, line) ? last : line;
  }
  return table.from > 0 ? undefined : last;
}

function descendsFrom(table: LineTable, line: number, ancestor: number): boolean {
  const seen = new Set<number>();
  let at: number | undefined = line;
  while (at !== undefined && !seen.has(at) && at !== ancestor) {
    seen.add(at);
    at = table.findByUuid(table.parent[at]!);
  }
  return at === ancestor;
}

interface Owner {
  boundary: number;
  preserved: Preserved;
}

class PathWalk {
  /** From the leaf to the root. */
  readonly path: number[] = [];
  readonly gaps: WalkGap[] = [];
  /** Whether it ended where the conversation begins, not where enough was known. */
  isWhole = false;
  readonly #table: LineTable;
  readonly #options: WalkOptions;
  readonly #visited = new Set<number>();
  readonly #preservedAt = new Map<number, Preserved>();
  readonly #preservedIn = new Map<number, Owner[]>();
  #counted = 0;
  // The message that the walk is in, how many lines were counted at its first line, and how many are certain.
  #message: number | undefined;
  #countedInMessage = 0;
  #certain = 0;

  constructor(table: LineTable, options: WalkOptions) {
    this.#table = table;
    this.#options = options;
    for (let line = 0; line < table.count; line++)
      if (table.has(line, Flag.preserved)) this.#notePreserved(line);
  }

  /** False when the table starts too late. */
  run(): boolean {
    let line: number | undefined = this.#options.leaf;
    while (line !== undefined) {
      const preserved = this.#preservedAt.get(line);
      if (this.#table.from > 0 && (preserved?.complete === false || this.#lacksBoundary(line))) return false;
      for (const kept of preserved?.lines.toReversed() ?? []) this.#visit(kept);
      this.#visit(line);
      if (this.#isEnough(line)) return true;
      const next = this.#parentOf(line);
      if (next === needsEarlierLines) return false;
      line = next;
    }
    this.isWhole = true;
    return true;
  }

  // Only the boundary says whether anything preserved stands behind the summary.
  #lacksBoundary(line: number): boolean {
    const table = this.#table;
    return table.has(line, Flag.compactSummary) && table.findByUuid(table.parent[line]!) === undefined;
  }

  #visit(line: number): void {
    if (this.#visited.has(line)) return;
    this.#visited.add(line);
    this.path.push(line);
    if (this.#table.kindOf(line) !== "progress") this.#counted++;
  }

  // Lines off the path are put between a message and the next one, so what is certain is known message by message.
  #isEnough(line: number): boolean {
    const { mode, last } = this.#options;
    const table = this.#table;
    if (mode === "context" && table.has(line, Flag.compactBoundary)) return true;
    if (last === undefined) return false;
    if (table.kindOf(line) === "assistant") {
      if (this.#message !== undefined && this.#message !== table.message[line])
        this.#certain = this.#countedInMessage;
      this.#message = table.message[line]!;
      this.#countedInMessage = this.#counted;
    } else if (!belongsToExchange(table, line)) {
      this.#certain = this.#counted;
      this.#message = undefined;
    }
    return this.#certain >= last;
  }

  #parentOf(line: number): number | undefined | typeof needsEarlierLines {
    const table = this.#table;
    if (table.parent[line] === 0)
      return table.has(line, Flag.compactBoundary) ? this.#bridge(line, "missing-parent") : undefined;
    let climbed: Set<number> | undefined;
    for (let child = line; ;) {
      const parent = table.findByUuid(table.parent[child]!);
      if (parent === undefined)
        return table.from > 0 ? needsEarlierLines : this.#bridge(child, "missing-parent");
      // A reply to a preserved message: the conversation reaches that message through the boundary's summary.
      const owner = this.#preservedIn.get(parent)?.findLast((each) => this.#isReplyAcross(each, child));
      if (owner) return owner.preserved.anchor;
      if (!this.#visited.has(parent)) return parent;
      // Preserved messages are already placed behind the summary; go on above them.
      if (!this.#preservedIn.has(parent) || climbed?.has(parent)) return this.#bridge(line, "cycle");
      (climbed ??= new Set()).add(parent);
      child = parent;
    }
  }

  #isReplyAcross({ boundary, preserved }: Owner, child: number): boolean {
    return child > boundary && !this.#visited.has(preserved.anchor) && !preserved.lines.includes(child);
  }

  // The previous line of the same chain in the file that the walk has not been at yet.
  #bridge(line: number, reason: WalkGap["reason"]): number | undefined | typeof needsEarlierLines {
    const table = this.#table;
    for (let before = line - 1; before >= 0; before--) {
      if (table.uuid[before] === 0 || table.kindOf(before) === "progress" || this.#visited.has(before))
        continue;
      if (table.has(before, Flag.sidechain) !== table.has(line, Flag.sidechain)) continue;
      if (isSuperseded(table, before)) continue;
      this.gaps.push({ line, reason, bridgedTo: before });
      return before;
    }
    if (table.from > 0) return needsEarlierLines;
    // A boundary at the very start has nothing behind it, and nothing is missing.
    if (reason === "cycle" || table.parent[line] !== 0)
      this.gaps.push({ line, reason, bridgedTo: undefined });
    return undefined;
  }

  #notePreserved(boundary: number): void {
    const preserved = this.#options.preservedBy(boundary);
    if (preserved === undefined) return;
    this.#preservedAt.set(preserved.anchor, preserved);
    for (const line of preserved.lines) {
      const owners = this.#preservedIn.get(line);
      if (owners) owners.push({ boundary, preserved });
      else this.#preservedIn.set(line, [{ boundary, preserved }]);
    }
  }
}

// Whether a later line carries the same uuid: of a line that was written twice the last one counts.
function isSuperseded(table: LineTable, line: number): boolean {
  return table.uuid[line] !== 0 && table.findByUuid(table.uuid[line]!) !== line;
}

// The path from root to leaf with the lines that belong to it put where they were said.
function completePath(table: LineTable, path: number[], { isWhole }: { isWhole: boolean }): number[] {
  const position = new Map<number, number>(path.map((line, index) => [line, index]));
  const additions = [...siblingLines(table, path, { position, isWhole })];
  for (const [line, at] of additions) position.set(line, at);
  additions.push(...resultLines(table, position));
  if (additions.length === 0) return path;
  additions.sort(([a], [b]) => a - b);
  const inserts = Map.groupBy(additions, ([line, anchor]) => placeBehind(table, path, { anchor, line }));
  const linesAt = (place: number): number[] => (inserts.get(place) ?? []).map(([line]) => line);
  return [...linesAt(-1), ...path.flatMap((line, index) => [line, ...linesAt(index)])];
}

// Assistant lines off the path that share a message id with one on it, each with the path position it follows.
// One before all of them is only taken when the walk is whole: else it stands further up, where nobody looked.
function* siblingLines(
  table: LineTable,
  path: number[],
  { position, isWhole }: { position: Map<number, number>; isWhole: boolean },
): Generator<[number, number]> {
  const assistants = [...path.keys()].filter((index) => table.kindOf(path[index]!) === "assistant");
  const messagePositions = Map.groupBy(assistants, (index) => table.message[path[index]!]!);
  messagePositions.delete(0);
  for (let line = 0; line < table.count; line++) {
    const at = messagePositions.get(table.message[line]!);
    if (at === undefined || position.has(line) || table.kindOf(line) !== "assistant") continue;
    if (isSuperseded(table, line)) continue;
    const before = at.findLast((index) => path[index]! < line);
    if (before !== undefined || isWhole) yield [line, before ?? at[0]! - 1];
  }
}

// Results off the path whose tool use is on it, each with the path position of the use.
function* resultLines(table: LineTable, position: Map<number, number>): Generator<[number, number]> {
  const usePositions = new Map<number, number>();
  for (let tool = 0; tool < table.toolCount; tool++) {
    const at = position.get(table.toolLine[tool]!);
    if (table.toolIsResult[tool] === 0 && at !== undefined) usePositions.set(table.toolId[tool]!, at);
  }
  const yielded = new Set<number>();
  for (let tool = 0; tool < table.toolCount; tool++) {
    const line = table.toolLine[tool]!;
    const at = usePositions.get(table.toolId[tool]!);
    if (table.toolIsResult[tool] === 0 || at === undefined || position.has(line) || yielded.has(line))
      continue;
    if (isSuperseded(table, line)) continue;
    yielded.add(line);
    yield [line, at];
  }
}

// Behind the anchor and whatever of the same exchange was written before the line: never past the next
// message of the assistant or the next prompt.
function placeBehind(
  table: LineTable,
  path: number[],
  { anchor, line }: { anchor: number; line: number },
): number {
  const message = anchor < 0 ? 0 : table.message[path[anchor]!]!;
  let at = anchor;
  while (at + 1 < path.length) {
    const next = path[at + 1]!;
    const startsExchange =
      table.kindOf(next) === "assistant" ? table.message[next] !== message : !belongsToExchange(table, next);
    if (next > line || startsExchange) break;
    at++;
  }
  return at;
}

function belongsToExchange(table: LineTable, line: number): boolean {
  if (table.has(line, Flag.compactBoundary)) return false;
  const kind = table.kindOf(line);
  if (kind !== "user") return kind === "progress" || kind === "attachment" || kind === "system";
  return table.answersTool(line);
}
