import fs from "node:fs";
import { tailRegionBytes } from "../format/limits.ts";
import type { Entry } from "../format/index.ts";
import { findLineStart } from "../lib/line-scanner.ts";
import { entryNotFound } from "./entry-lookup.ts";
import { Flag, LineTable, hashId } from "./line-table.ts";
import { findNewestBoundary } from "./newest-boundary.ts";
import { loadLineTable } from "./offset-table.ts";
import { preservedLines } from "./preserved-lines.ts";
import { placeQueuedPrompts } from "./queued-prompts.ts";
import { readLine, type LineRef } from "./read-line.ts";
import { openTranscriptFile } from "./open-transcript.ts";
import type { Rejection } from "./rejection.ts";
import { scanIntoTableSlowly } from "./scan-table.ts";
import {
  findDefaultLeaf,
  needsEarlierLines,
  walkConversation,
  type ConversationWalk,
} from "./walk-conversation.ts";

export interface ConversationOptions {
  /** `full` is the whole conversation across compactions; `context` what a resume gives the model. Default full. */
  mode?: "full" | "context" | undefined;
  /** Only the last so many entries; costs what they cost, not what the file costs. */
  last?: number | undefined;
  /** The uuid to end at; by default the newest message. */
  leaf?: string | undefined;
  /** Where offset tables are kept between calls. */
  indexDir?: string | undefined;
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
  /** Where its entries stand in the file, in conversation order. */
  readonly lines: readonly LineRef[];
  /** Lines between them that are no entries of the conversation but parents of some (progress), in file order. */
  readonly links: readonly LineRef[];
  /** Messages of the main chain that are on other branches; undefined when only a part of the file was looked at. */
  readonly messagesElsewhere: number | undefined;
  /** Broken places that the walk went around. */
  readonly gaps: readonly ConversationGap[];
  /** Lines of the part of the file that was looked at which are not entries; complete once `entries` is read. */
  readonly rejections: readonly Rejection[];
  entries(): Generator<Entry>;
  close(): void;
}

export interface ReadConversation {
  entries: Entry[];
  rejections: Rejection[];
  gaps: ConversationGap[];
}

/** The conversation as arrays; for long ones use `openConversation` and read entry by entry. */
export async function readConversation(
  file: string,
  options: ConversationOptions = {},
): Promise<ReadConversation> {
  const conversation = await openConversation(file, options);
  try {
    const entries = [...conversation.entries()];
    return { entries, rejections: [...conversation.rejections], gaps: [...conversation.gaps] };
  } finally {
    conversation.close();
  }
}

/** Finds the conversation that ends at a leaf, reading from the end of the file as little as it needs. */
export async function openConversation(
  file: string,
  options: ConversationOptions = {},
): Promise<Conversation> {
  const fd = openTranscriptFile(file);
  try {
    const found = await findConversation(file, fd, options);
    return conversationOf(fd, found);
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

interface FoundConversation {
  table: LineTable;
  walk: ConversationWalk;
}

async function findConversation(
  file: string,
  fd: number,
  options: ConversationOptions,
): Promise<FoundConversation> {
  for await (const table of tablesFromTheEnd(file, fd, options)) {
    const walk = tryWalk(table, fd, options);
    if (walk === needsEarlierLines) continue;
    const lines = placeQueuedPrompts(table, fd, walk.lines);
    return {
      table,
      walk: { ...walk, lines: options.last === undefined ? lines : lines.slice(-options.last) },
    };
  }
  throw entryNotFound(file, options.leaf ?? "");
}

// Ever larger pieces from the end, then the whole file; what needs the whole file starts with it.
async function* tablesFromTheEnd(
  file: string,
  fd: number,
  { mode = "full", last, leaf, indexDir, signal }: ConversationOptions,
): AsyncGenerator<LineTable> {
  const { size } = fs.fstatSync(fd);
  const isBounded = leaf === undefined && (mode === "context" || last !== undefined);
  let region = isBounded ? tailRegionBytes : size;
  if (isBounded && mode === "context") {
    const boundary = findNewestBoundary(fd, size);
    region = boundary === undefined ? size : size - boundary;
  }
  for (; region < size; region *= 4) {
    const table = new LineTable();
    await scanIntoTableSlowly(table, fd, { from: findLineStart(fd, size - region), to: size, signal });
    yield table;
  }
  yield await loadLineTable(file, fd, { indexDir, signal });
}

function tryWalk(
  table: LineTable,
  fd: number,
  { mode = "full", last, leaf }: ConversationOptions,
): ConversationWalk | typeof needsEarlierLines {
  const line = leaf === undefined ? findDefaultLeaf(table) : table.findByUuid(hashId(Buffer.from(leaf)));
  if (line === needsEarlierLines) return needsEarlierLines;
  // A named leaf that is not there fails in the caller; a transcript without messages is an empty conversation.
  if (line === undefined)
    return leaf === undefined && table.from === 0 ? { lines: [], path: [], gaps: [] } : needsEarlierLines;
  return walkConversation(table, {
    leaf: line,
    mode,
    last,
    preservedBy: (boundary) => preservedLines(table, fd, boundary),
  });
}

function conversationOf(fd: number, { table, walk }: FoundConversation): Conversation {
  const refOf = (line: number): LineRef => ({ offset: table.offset[line]!, length: table.length[line]! });
  const lines = walk.lines.map(refOf);
  const links = walk.path.filter((line) => table.kindOf(line) === "progress");
  const rejections = rejectionsOf(table, fd, walk.lines);
  return {
    lines,
    links: links.map(refOf),
    messagesElsewhere: table.from === 0 ? messagesElsewhere(table, walk.lines) : undefined,
    gaps: walk.gaps.map(({ line, reason }) => ({
      uuid: uuidAt(fd, refOf(line)),
      offset: table.offset[line]!,
      reason,
    })),
    rejections,
    *entries() {
      for (const ref of lines) {
        const read = readLine(fd, ref);
        if (read.ok) yield read.entry;
        else if (!rejections.some(({ offset }) => offset === read.rejection.offset))
          rejections.push(read.rejection);
      }
    },
    close: () => fs.closeSync(fd),
  };
}

// Of a part of the file only what stands behind the first line returned is reported: the rest was not asked for.
function rejectionsOf(table: LineTable, fd: number, lines: number[]): Rejection[] {
  const first = table.from === 0 ? 0 : Math.min(...lines.slice(0, 1), table.count);
  const rejections: Rejection[] = [];
  for (let line = first; line < table.count; line++) {
    if (table.kind[line] !== 0) continue;
    const read = readLine(fd, { offset: table.offset[line]!, length: table.length[line]! });
    if (!read.ok) rejections.push(read.rejection);
  }
  return rejections;
}

function messagesElsewhere(table: LineTable, lines: number[]): number {
  const isMessage = (line: number): boolean => {
    const kind = table.kindOf(line);
    return (kind === "user" || kind === "assistant") && !table.has(line, Flag.sidechain);
  };
  let messages = 0;
  for (let line = 0; line < table.count; line++) if (isMessage(line)) messages++;
  return messages - lines.filter(isMessage).length;
}

function uuidAt(fd: number, ref: LineRef): string | undefined {
  const read = readLine(fd, ref);
  return read.ok ? (read.entry as { uuid?: string }).uuid : undefined;
}
