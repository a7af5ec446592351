import { Flag, type LineTable } from "../line/line-table.ts";
import { belongsToExchange, completePath } from "./complete-path.ts";
import { isContextStart, isPromptAgain, isRootSummary } from "./context-start.ts";
import { turnBeside } from "./turn-beside.ts";

/**
 * Which lines of a table are the conversation that ends at a leaf, in the order in which it was held.
 *
 * The parent walk alone loses messages (docs/format.md, "The graph"), so the path is completed by
 *   - every line that shares a message id with an assistant line on the path,
 *   - every result of a tool use on the path or among those lines,
 *   - the messages that a compaction boundary preserved, which stand before it but belong behind its summary,
 *   - the turn beside an error line that was written behind it but hangs on the line before it,
 *   - what was said before a summary that has no boundary, and before the prompt that a sub-agent was given again.
 * Where a parent is missing or the walk runs in a circle it goes on at the previous line of the chain, and
 * says so in `gaps`. Every line is visited at most once, so the walk ends whatever the file says.
 */
export interface ConversationWalk {
  lines: number[];
  /** The path itself from root to leaf, with its progress lines: what a copy needs so that no parent is missing. */
  path: number[];
  gaps: WalkGap[];
  /** Lines of the path that name another parent than the one they follow in it, and that one. A copy has to name it. */
  turned: Map<number, number>;
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
  return {
    lines: options.last === undefined ? lines : lastOf(lines, options.last),
    path,
    gaps: walk.gaps,
    turned: turnedLines(table, path, walk),
  };
}

// Those around errors that came late, and those that go on across a gap. Boundaries stay roots: that is what they are for.
function turnedLines(table: LineTable, path: number[], { late, gaps }: PathWalk): Map<number, number> {
  const turned = new Map<number, number>();
  for (const { line, bridgedTo } of gaps)
    if (bridgedTo !== undefined && !table.has(line, Flag.compactBoundary)) turned.set(line, bridgedTo);
  path.forEach((line, index) => {
    const before = path[index - 1];
    if (before === undefined || !(late.has(line) || late.has(before)) || isContextStart(table, line)) return;
    if (table.parentFor(line) !== before) turned.set(line, before);
  });
  return turned;
}

/** The last so many; `slice` alone takes a negative zero for the beginning. */
export function lastOf<T>(items: T[], count: number): T[] {
  return items.slice(Math.max(0, items.length - count));
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
  /** Error lines beside which a turn was found. */
  readonly late: Set<number> = new Set<number>();
  // Those of them that stand further up than the walk is, the last one first.
  #awaited: number[] = [];
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
    // Each step visits a line, or leaves one out and goes up the file; so the walk ends.
    while (line !== undefined) {
      const preserved = this.#preservedAt.get(line);
      if (this.#table.from > 0 && (preserved?.complete === false || this.#lacksBoundary(line))) return false;
      for (const kept of preserved?.lines.toReversed() ?? []) this.#visit(kept);
      this.#visitAwaited(line);
      // What the first conversation began with is not said twice; who was given it again, was given it.
      if (
        this.#options.mode === "context" ||
        line === this.#options.leaf ||
        !isPromptAgain(this.#table, line)
      )
        this.#visit(line);
      if (this.#isEnough(line)) return true;
      const next = this.#parentOf(line);
      if (next === needsEarlierLines) return false;
      line = next;
    }
    this.#visitAwaited(-1);
    this.isWhole = true;
    return true;
  }

  #visitAwaited(above: number): void {
    while (this.#awaited.length > 0 && this.#awaited[0]! > above) this.#visit(this.#awaited.shift()!);
  }

  // Only the boundary says whether anything preserved stands behind the summary.
  #lacksBoundary(line: number): boolean {
    const table = this.#table;
    return (
      table.has(line, Flag.compactSummary) && table.parent[line] !== 0 && table.parentFor(line) === undefined
    );
  }

  #visit(line: number): void {
    if (this.#isVisited(line)) return;
    this.#visited.add(line);
    this.path.push(line);
    if (this.#table.kindOf(line) !== "progress") this.#counted++;
  }

  // Lines off the path are put between a message and the next one, so what is certain is known message by message.
  #isEnough(line: number): boolean {
    const { mode, last } = this.#options;
    const table = this.#table;
    if (mode === "context" && isContextStart(table, line)) return true;
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
    const beside = table.has(line, Flag.apiError) ? this.#turnBeside(line) : undefined;
    if (beside !== undefined) return beside;
    let climbed: Set<number> | undefined;
    for (let child = line; ;) {
      if (table.parent[child] === 0) return this.#beforeRoot(child);
      const parent = table.parentFor(child);
      if (parent === undefined)
        return table.from > 0 ? needsEarlierLines : this.#bridge(child, "missing-parent");
      // What a boundary names behind it, it preserved; what was said before it stands before it.
      if (parent > child && table.has(child, Flag.compactBoundary)) return this.#bridge(child);
      // A reply to a preserved message: the conversation reaches that message through the boundary's summary.
      const owner = this.#preservedIn.get(parent)?.findLast((each) => this.#isReplyAcross(each, child));
      if (owner) return owner.preserved.anchor;
      if (!this.#isVisited(parent)) return parent;
      // Preserved messages are already placed behind the summary; go on above them.
      if (!this.#preservedIn.has(parent) || climbed?.has(parent)) return this.#bridge(line, "cycle");
      (climbed ??= new Set()).add(parent);
      child = parent;
    }
  }

  #beforeRoot(line: number): number | undefined | typeof needsEarlierLines {
    const table = this.#table;
    if (table.has(line, Flag.compactBoundary)) return this.#bridge(line, "missing-parent");
    if (isRootSummary(table, line) || isPromptAgain(table, line)) return this.#bridge(line);
    // Whether a sub-agent was given it before, only what stands above can tell.
    return table.from > 0 && table.has(line, Flag.sidechain) ? needsEarlierLines : undefined;
  }

  // The errors go where they stand in the file, among the lines of the turn.
  #turnBeside(line: number): number | undefined {
    const turn = turnBeside(this.#table, line, (each) => this.#isVisited(each));
    if (turn === undefined) return undefined;
    for (const error of [line, ...turn.errors]) this.late.add(error);
    this.#awaited = [...this.#awaited, ...turn.errors].sort((a, b) => b - a);
    return turn.last;
  }

  #isVisited(line: number): boolean {
    const table = this.#table;
    return (
      this.#visited.has(line) ||
      table.copiesOf(line).some((copy) => this.#visited.has(copy) && table.kind[copy] === table.kind[line])
    );
  }

  #isReplyAcross({ boundary, preserved }: Owner, child: number): boolean {
    return child > boundary && !this.#isVisited(preserved.anchor) && !preserved.lines.includes(child);
  }

  // The previous line of the same chain in the file that the walk has not been at yet. Without a reason nothing is amiss.
  #bridge(line: number, reason?: WalkGap["reason"]): number | undefined | typeof needsEarlierLines {
    const table = this.#table;
    for (let before = line - 1; before >= 0; before--) {
      if (table.uuid[before] === 0 || table.kindOf(before) === "progress" || this.#isVisited(before))
        continue;
      if (table.has(before, Flag.sidechain) !== table.has(line, Flag.sidechain)) continue;
      if (reason) this.gaps.push({ line, reason, bridgedTo: before });
      return before;
    }
    if (table.from > 0) return needsEarlierLines;
    // A boundary at the very start has nothing behind it, and nothing is missing.
    if (reason === "cycle" || (reason && table.parent[line] !== 0))
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
