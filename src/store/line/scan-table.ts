import fs from "node:fs";
import { lineBytesMax } from "../../format/limits.ts";
import { LineScanner, isBlank, type LinePosition } from "../../lib/line-scanner.ts";
import { Flag, LineTable, hashId, lineKinds, type LineKind } from "./line-table.ts";
import { LineSkimmer } from "./skim-line.ts";
import type { Range } from "./skimmed-keys.ts";

export interface ScanOptions {
  /** The start of a line; by default that of the file. */
  from?: number;
  /** By default the end that the file has now. */
  to?: number;
  signal?: AbortSignal | undefined;
}

/**
 * The table of the lines in [from, to) of an open transcript, in file order. Other work runs between chunks, so a file of any
 * size may be scanned in a live process. A last line without a newline is covered when it is a whole entry, because many
 * real files end so; otherwise it is only described, since its writer may still be writing it.
 */
export async function scanTable(
  fd: number,
  { from = 0, to = fs.fstatSync(fd).size, signal }: ScanOptions = {},
): Promise<LineTable> {
  const scanner = new LineScanner(fd, { from, to, lineBytesMax });
  const skimmer = new LineSkimmer();
  const table = new LineTable();
  table.from = table.to = from;
  const visit = (bytes: Buffer, start: number, end: number, position: LinePosition): void => {
    addLine({ table, skimmer, bytes, start, end, position });
  };
  while (scanner.next(visit)) {
    signal?.throwIfAborted();
    await new Promise(setImmediate);
  }
  return table;
}

interface ScannedLine {
  table: LineTable;
  skimmer: LineSkimmer;
  bytes: Buffer;
  start: number;
  end: number;
  position: LinePosition;
}

function addLine({ table, skimmer, bytes, start, end, position }: ScannedLine): void {
  const isEntry = !position.oversized && skimmer.skim(bytes, start, end) && !hasNul(bytes, start, end);
  const next = position.offset + position.length + (position.terminated ? 1 : 0);
  if (isBlank(bytes, start, end) && !position.oversized) {
    table.to = next;
    return;
  }
  // An unfinished last line is described (a reader reports it) but not covered.
  if (position.terminated || isEntry) table.to = next;
  const line = table.addLine();
  table.offset[line] = position.offset;
  table.length[line] = position.length;
  table.kind[line] = isEntry ? kindCode(skimmer, bytes) : 0;
  table.flags[line] = isEntry ? flagsOf(skimmer) : 0;
  const parent = skimmer.parentUuid.start >= 0 ? skimmer.parentUuid : skimmer.logicalParentUuid;
  table.uuid[line] = isEntry ? hashRange(bytes, skimmer.uuid) : 0;
  table.parent[line] = isEntry ? hashRange(bytes, parent) : 0;
  table.message[line] = isEntry ? hashRange(bytes, skimmer.messageId) : 0;
  if (!isEntry) return;
  for (let i = 0; i < skimmer.toolUses.length; i += 2) {
    table.addTool(line, hashId(bytes, skimmer.toolUses[i], skimmer.toolUses[i + 1]), false);
  }
  for (let i = 0; i < skimmer.toolResults.length; i += 2) {
    table.addTool(line, hashId(bytes, skimmer.toolResults[i], skimmer.toolResults[i + 1]), true);
  }
}

function kindCode(skimmer: LineSkimmer, bytes: Buffer): number {
  const { start, end } = skimmer.type;
  const code = kindCodes.get(hashId(bytes, start, end));
  return code ?? OTHER;
}

function flagsOf(skimmer: LineSkimmer): number {
  let flags = 0;
  if (skimmer.isSidechain) flags |= Flag.sidechain;
  if (skimmer.isCompactSummary) flags |= Flag.compactSummary;
  if (skimmer.isMeta) flags |= Flag.meta;
  if (skimmer.hasPreserved) flags |= Flag.preserved;
  if (skimmer.hasOtherBlocks) flags |= Flag.otherBlocks;
  if (skimmer.parentUuid.start < 0 && skimmer.logicalParentUuid.start >= 0) flags |= Flag.logicalParent;
  const { start, end } = skimmer.subtype;
  if (start < 0) return flags;
  if (skimmer.keyIs(start, end, COMPACT_BOUNDARY)) flags |= Flag.compactBoundary;
  else if (skimmer.keyIs(start, end, API_ERROR)) flags |= Flag.apiError;
  else if (skimmer.keyIs(start, end, RETRACTION)) flags |= Flag.retraction;
  return flags;
}

function hashRange(bytes: Buffer, { start, end }: Range): number {
  return start < 0 ? 0 : hashId(bytes, start, end);
}

// JSON forbids raw control characters, but the skimmer jumps over long strings; runs of NUL are what a crash
// of the file system really leaves there.
function hasNul(bytes: Buffer, start: number, end: number): boolean {
  return bytes.subarray(start, end).includes(0);
}

const COMPACT_BOUNDARY = Buffer.from("compact_boundary");
const API_ERROR = Buffer.from("api_error");
const RETRACTION = Buffer.from("model_refusal_fallback");
const hashName = (name: LineKind): number => hashId(Buffer.from(name));
const OTHER = lineKinds.indexOf("other");
// "rejected" is ours, never a type that a file may claim.
const kindCodes = new Map<number, number>(
  lineKinds.slice(1).map((name, index) => [hashName(name), index + 1]),
);
