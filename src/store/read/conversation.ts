import { uuidOf } from "../../format/entry-kinds.ts";
import fs from "node:fs";
import {
  leavesNamedMax,
  tailBytesPerEntry,
  tailLinesMin,
  tailLinesPerEntry,
  tailParseBytesMax,
  tailRegionBytes,
} from "../limits.ts";
import type { Entry } from "../../format/index.ts";
import { findLastLines, findLineStart } from "../../lib/line-scanner.ts";
import { entryNotFound } from "../errors.ts";
import { hashText, type LineTable } from "../line/line-table.ts";
import { linesElsewhere, type Elsewhere, type LinesElsewhere } from "./elsewhere.ts";
import { applyFilter, type EntryFilter } from "./entry-filter.ts";
import { findUuid } from "./find-uuid.ts";
import { findNewestBoundary } from "./newest-boundary.ts";
import { parseIntoTable } from "../line/parse-table.ts";
import { helpersBeside } from "./helpers-beside.ts";
import { preservedLines } from "./preserved-lines.ts";
import { placeQueuedPrompts } from "./queued-prompts.ts";
import { readTableLine, type LineRef } from "../line/read-line.ts";
import { retractedUuids } from "./retracted-uuids.ts";
import { openTranscriptFile } from "./open-transcript.ts";
import type { Rejection } from "../line/rejection.ts";
import { scanTable } from "../line/scan-table.ts";
import { findDefaultLeaf } from "./default-leaf.ts";
import {
  brokenGaps,
  lastOf,
  needsEarlierLines,
  walkConversation,
  type ConversationWalk,
} from "./walk-conversation.ts";

export interface ConversationOptions {
  /** `full` is the whole conversation across compactions; `context` what a resume gives the model. Default full. */
  mode?: "full" | "context" | undefined;
  /** Only the last so many entries; costs what they cost, not what the file costs. */
  last?: number | undefined;
  /** The uuid to end at, or a beginning that only one has; by default the newest message. */
  leaf?: string | undefined;
  /** Only entries that pass it; `last` counts those. Entries are then looked for from the beginning. */
  filter?: EntryFilter | undefined;
  /** Only what stands in the session's own file, without what queries in the background owe to it. */
  withoutOwed?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export interface ConversationGap {
  /** The entry whose parent could not be followed. */
  uuid: string | undefined;
  offset: number;
  reason: "missing-parent" | "cycle";
}

/** A conversation found in a transcript; entries are read when asked for. Close it. */
export interface Conversation {
  /** The places of its entries in the file, in the order of the conversation. */
  readonly lines: readonly LineRef[];
  /** Lines that are not part of the conversation but that it needs: parents of entries, removals of queued prompts. */
  readonly links: readonly LineRef[];
  /** The parent uuid of a reply; undefined if there is no message. */
  readonly leaf: string | undefined;
  /** What of the file is not in it; undefined when only a part was asked for. */
  readonly elsewhere: Elsewhere | undefined;
  /**
   * By offset, the uuid of the parent that a copy of an entry has to name instead of its own, so that whoever follows parents
   * alone finds the same conversation.
   */
  readonly parents: ReadonlyMap<number, string>;
  /** Uuids of answers that were taken back. */
  readonly retracted: ReadonlySet<string>;
  /** Missing parents and cycles that were bridged. */
  readonly gaps: readonly ConversationGap[];
  /** Lines that are not entries, in the part of the file that was read; complete once `entries` is read. */
  readonly rejections: readonly Rejection[];
  /** Those that pass the filter; all without one. */
  entries(filter?: EntryFilter): Generator<Entry>;
  close(): void;
}

export interface ReadConversation {
  entries: Entry[];
  rejections: Rejection[];
  gaps: ConversationGap[];
  elsewhere: Elsewhere | undefined;
}

/** The conversation as arrays; for long ones use `openConversation` and read entry by entry. */
export async function readConversation(
  file: string,
  options: ConversationOptions = {},
): Promise<ReadConversation> {
  return readAll(await openConversation(file, options));
}

/** Reads all of a conversation and closes it. */
export function readAll(conversation: Conversation): ReadConversation {
  try {
    const entries = [...conversation.entries()];
    const { rejections, gaps, elsewhere } = conversation;
    return { entries, rejections: [...rejections], gaps: [...gaps], elsewhere };
  } finally {
    conversation.close();
  }
}

/** Finds the conversation that ends at a leaf, reading from the end of the file as little as it needs. */
export async function openConversation(
  file: string,
  options: ConversationOptions = {},
): Promise<Conversation> {
  const { leaf: typed, signal } = options;
  const leaf = typed === undefined ? undefined : await findUuid(file, typed, { signal });
  const fd = openTranscriptFile(file);
  // How many pass a filter, only reading can tell.
  const last = options.filter ? undefined : options.last;
  try {
    const found = await findConversation(file, fd, { ...options, leaf, last });
    return conversationOf({ file, fd }, found, options);
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

interface FoundConversation {
  table: LineTable;
  walk: ConversationWalk;
  /** Lines that took queued prompts of the conversation off the queue. */
  removals: number[];
  isPart: boolean;
}

async function findConversation(
  file: string,
  fd: number,
  options: ConversationOptions,
): Promise<FoundConversation> {
  const { mode, last, leaf } = options;
  for await (const table of tablesFromTheEnd(fd, options)) {
    const walk = tryWalk(table, fd, options);
    if (walk === needsEarlierLines) continue;
    const until = leaf === undefined ? Infinity : walk.lines.reduce((a, b) => Math.max(a, b), -1);
    const placed = placeQueuedPrompts(table, fd, { lines: walk.lines, until });
    if (placed === needsEarlierLines) continue;
    const { removals } = placed;
    const lines = last === undefined ? placed.lines : lastOf(placed.lines, last);
    return { table, walk: { ...walk, lines }, removals, isPart: mode === "context" || last !== undefined };
  }
  throw entryNotFound(file, leaf ?? "");
}

// Ever larger pieces from the end, then the whole file; what needs the whole file starts with it.
async function* tablesFromTheEnd(fd: number, options: ConversationOptions): AsyncGenerator<LineTable> {
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
  { mode, last, leaf }: ConversationOptions,
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
  { mode = "full", last, leaf }: ConversationOptions,
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

function conversationOf(
  { file, fd }: { file: string; fd: number },
  { table, walk, removals, isPart }: FoundConversation,
  { filter: wanted, last }: ConversationOptions,
): Conversation {
  const refOf = (line: number): LineRef => ({ offset: table.offset[line]!, length: table.length[line]! });
  const lines = walk.lines.map(refOf);
  const rejections = rejectionsOf(table, fd, walk.lines);
  const uuidOfLine = (line: number): string | undefined => uuidAt(table, fd, line);
  // Counted when it is asked for: of a large file it takes as much memory as the walk.
  let counted: LinesElsewhere | undefined;
  function* entries(filter: EntryFilter | undefined): Generator<Entry> {
    for (const line of walk.lines) {
      const read = readTableLine(table, fd, line);
      if (read.ok) {
        const entry = filter ? applyFilter(read.entry, filter) : read.entry;
        if (entry) yield entry;
      } else if (!rejections.some(({ offset }) => offset === read.rejection.offset))
        rejections.push(read.rejection);
    }
  }
  return {
    lines,
    get links() {
      return [...parentsElsewhere(table, walk.lines), ...removals].sort((a, b) => a - b).map(refOf);
    },
    get leaf() {
      const line = walk.path.at(-1);
      return line === undefined ? undefined : uuidAt(table, fd, line);
    },
    get elsewhere() {
      if (isPart) return undefined;
      const elsewhere = (counted ??= linesElsewhere(table, walk.lines, walk.path.at(-1) ?? 0));
      const leaves = elsewhere.leaves.slice(0, leavesNamedMax).flatMap((line) => uuidOfLine(line) ?? []);
      return { ...elsewhere, leaves, rejected: rejections.length, helpers: helpersBeside(file) };
    },
    get parents() {
      const parents = new Map<number, string>();
      for (const [line, parent] of walk.turned) {
        const uuid = uuidOfLine(parent);
        if (uuid !== undefined) parents.set(table.offset[line]!, uuid);
      }
      return parents;
    },
    get retracted() {
      return retractedUuids(table, fd);
    },
    gaps: brokenGaps(table, walk).map(({ line, reason }) => ({
      uuid: uuidOfLine(line),
      offset: table.offset[line]!,
      reason,
    })),
    rejections,
    entries: (filter = wanted) =>
      wanted && last !== undefined ? lastEntries(entries(filter), last) : entries(filter),
    close: () => fs.closeSync(fd),
  };
}

// Of a part of the file only what stands behind the first line returned is reported: the rest was not asked for.
function rejectionsOf(table: LineTable, fd: number, lines: number[]): Rejection[] {
  const first = table.from === 0 ? 0 : Math.min(...lines.slice(0, 1), table.count);
  const rejections: Rejection[] = [];
  for (let line = first; line < table.count; line++) {
    if (table.kind[line] !== 0) continue;
    const read = readTableLine(table, fd, line);
    if (!read.ok) rejections.push(read.rejection);
  }
  return rejections;
}

// Ancestors of the lines that are not among them: progress, and what hangs between the lines of parallel tools.
function parentsElsewhere(table: LineTable, lines: number[]): number[] {
  const seen = new Set(lines);
  const parents: number[] = [];
  for (const line of lines) {
    let parent = table.parentFor(line);
    for (; parent !== undefined && !seen.has(parent); parent = table.parentFor(parent)) {
      seen.add(parent);
      parents.push(parent);
    }
  }
  return parents;
}

function* lastEntries(entries: Iterable<Entry>, last: number): Generator<Entry> {
  const kept: Entry[] = [];
  for (const entry of entries) {
    kept.push(entry);
    if (kept.length > last) kept.shift();
  }
  yield* kept;
}

function uuidAt(table: LineTable, fd: number, line: number): string | undefined {
  const read = readTableLine(table, fd, line);
  return read.ok ? uuidOf(read.entry) : undefined;
}
