import fs from "node:fs";
import { findLastLines, findLineStart } from "../../lib/line-scanner.ts";
import { entryNotFound } from "../errors.ts";
import { hashText, type LineTable } from "../line/line-table.ts";
import { parseIntoTable } from "../line/parse-table.ts";
import { scanTable } from "../line/scan-table.ts";
import {
  tailBytesPerEntry,
  tailLinesMin,
  tailLinesPerEntry,
  tailParseBytesMax,
  tailRegionBytes,
} from "../limits.ts";
import { findDefaultLeaf } from "./default-leaf.ts";
import { findNewestBoundary } from "./newest-boundary.ts";
import { preservedLines } from "./preserved-lines.ts";
import { placeQueuedPrompts } from "./queued-prompts.ts";
import { lastOf, needsEarlierLines, walkConversation, type ConversationWalk } from "./walk-conversation.ts";

/** Which conversation of a transcript is meant, and how much of it. */
export interface ConversationExtent {
  /** `full` is the whole conversation across compactions; `context` what a resume gives the model. Default full. */
  mode?: "full" | "context" | undefined;
  /** Only the last so many entries; costs what they cost, not what the file costs. */
  last?: number | undefined;
  /** The uuid to end at, or a beginning that only one has; by default the newest message. */
  leaf?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Which lines of a transcript are a conversation. */
export interface FoundConversation {
  table: LineTable;
  walk: ConversationWalk;
  /** Lines that took queued prompts of the conversation off the queue. */
  removals: number[];
  isPart: boolean;
}

/** Finds a conversation, reading from the end of the file as little as it needs. Throws `entry_not_found`. */
export async function findConversation(
  file: string,
  fd: number,
  options: ConversationExtent,
): Promise<FoundConversation> {
  for await (const table of tablesFromTheEnd(fd, options)) {
    const found = findInTable(table, fd, options);
    if (found) return found;
  }
  throw entryNotFound(file, options.leaf ?? "");
}

/** The same in a table; undefined when it does not reach back far enough, or the leaf is not in it. */
export function findInTable(
  table: LineTable,
  fd: number,
  options: ConversationExtent,
): FoundConversation | undefined {
  const { mode, last, leaf } = options;
  const walk = tryWalk(table, fd, options);
  if (walk === needsEarlierLines) return undefined;
  const until = leaf === undefined ? Infinity : walk.lines.reduce((a, b) => Math.max(a, b), -1);
  const placed = placeQueuedPrompts(table, fd, { lines: walk.lines, until });
  if (placed === needsEarlierLines) return undefined;
  const { removals } = placed;
  const lines = last === undefined ? placed.lines : lastOf(placed.lines, last);
  return { table, walk: { ...walk, lines }, removals, isPart: mode === "context" || last !== undefined };
}

// Ever larger pieces from the end, then the whole file; what needs the whole file starts with it.
async function* tablesFromTheEnd(fd: number, options: ConversationExtent): AsyncGenerator<LineTable> {
  const { signal } = options;
  const { size } = fs.fstatSync(fd);
  let later: LineTable | undefined;
  for (const from of startsFromTheEnd(fd, size, options)) {
    if (from === later?.from) continue;
    if (size - from <= tailParseBytesMax) {
      later = parseIntoTable(fd, { from, to: later?.from ?? size, later });
      yield later;
    } else {
      yield await scanTable(fd, { from, to: size, signal });
    }
  }
  yield await scanTable(fd, { signal });
}

// Where they begin. How many lines an entry takes differs far less from session to session than how many bytes, so the
// first piece is so many lines, if they are no longer than the piece that would be the next.
function* startsFromTheEnd(
  fd: number,
  size: number,
  { mode, last, leaf }: ConversationExtent,
): Generator<number> {
  if (leaf !== undefined || (mode !== "context" && last === undefined)) return;
  let region = Math.max(tailRegionBytes, (last ?? 0) * tailBytesPerEntry);
  if (mode === "context") region = size - (findNewestBoundary(fd, size) ?? 0);
  else if (last && region < size && region <= tailParseBytesMax) {
    const lines = Math.ceil(last * tailLinesPerEntry) + tailLinesMin;
    yield findLastLines(fd, { from: size - region, to: size, lines });
  }
  for (; region < size; region *= 2) yield findLineStart(fd, size - region);
}

function tryWalk(
  table: LineTable,
  fd: number,
  { mode = "full", last, leaf }: ConversationExtent,
): ConversationWalk | typeof needsEarlierLines {
  const line = leaf === undefined ? findDefaultLeaf(table) : table.findByUuid(hashText(leaf));
  if (line === needsEarlierLines) return needsEarlierLines;
  // A named leaf that is not there fails in the caller; a transcript without messages is an empty conversation.
  if (line === undefined)
    return leaf === undefined && table.from === 0
      ? { lines: [], path: [], gaps: [], turned: new Map() }
      : needsEarlierLines;
  return walkConversation(table, {
    leaf: line,
    mode,
    last,
    preservedBy: (boundary) => preservedLines(table, fd, boundary),
  });
}
