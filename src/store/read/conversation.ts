import fs from "node:fs";
import type { Entry } from "../../format/index.ts";
import type { LineTable } from "../line/line-table.ts";
import { readTableLine, type LineRef } from "../line/read-line.ts";
import type { Rejection } from "../line/rejection.ts";
import { leavesNamedMax } from "../limits.ts";
import { linesElsewhere, type Elsewhere, type LinesElsewhere } from "./elsewhere.ts";
import { applyFilter, type EntryFilter } from "./entry-filter.ts";
import { findConversation, type ConversationExtent, type FoundConversation } from "./find-conversation.ts";
import { findUuid } from "./find-uuid.ts";
import { helpersBeside } from "./helpers-beside.ts";
import { openTranscriptFile } from "./open-transcript.ts";
import { retractedUuids } from "./retracted-uuids.ts";
import { rejectionsOf, uuidAt } from "./table-lines.ts";
import { brokenGaps } from "./walk-conversation.ts";

export interface ConversationOptions extends ConversationExtent {
  /** Only entries that pass it; `last` counts those. Entries are then looked for from the beginning. */
  filter?: EntryFilter | undefined;
  /** Only what stands in the session's own file, without what queries in the background owe to it. */
  withoutOwed?: boolean | undefined;
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
