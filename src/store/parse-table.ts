import type { Entry } from "../format/index.ts";
import { lineBytesMax } from "../format/limits.ts";
import { LineScanner, isBlank, type LinePosition } from "../lib/line-scanner.ts";
import { Flag, LineTable, hashText, lineKinds, type LineKind } from "./line-table.ts";
import { parseLine } from "./read-line.ts";

/**
 * As scanIntoTable, for a piece of a few megabytes at the end of a file: every line is parsed, and the entries are kept
 * with the table, because most of them are about to be returned. In a process that has just started this takes a third
 * of the time of skimming first. `known` are entries by offset that an earlier, smaller piece had already.
 */
export function parseIntoTable(
  fd: number,
  { from, to, known }: { from: number; to: number; known: ReadonlyMap<number, Entry> | undefined },
): LineTable {
  const table = new LineTable();
  const parsed = new Map<number, Entry>();
  table.from = from;
  table.parsed = parsed;
  const scanner = new LineScanner(fd, { from, to, lineBytesMax });
  const visit = (bytes: Buffer, start: number, end: number, position: LinePosition): void => {
    const { offset, length, terminated, oversized } = position;
    const next = offset + length + (terminated ? 1 : 0);
    const isEmpty = !oversized && isBlank(bytes, start, end);
    const entry =
      isEmpty || oversized ? undefined : (known?.get(offset) ?? entryOf(bytes.subarray(start, end)));
    if (terminated || entry || isEmpty) table.to = next;
    if (isEmpty) return;
    const line = table.addLine();
    table.offset[line] = offset;
    table.length[line] = length;
    noteEntry(table, line, entry);
    if (entry) parsed.set(offset, entry);
  };
  while (scanner.next(visit)) {
    /* one chunk a step */
  }
  return table;
}

function entryOf(bytes: Buffer): Entry | undefined {
  const read = parseLine(bytes, { offset: 0, length: bytes.length });
  return read.ok ? read.entry : undefined;
}

interface NodeKeys {
  uuid?: unknown;
  parentUuid?: unknown;
  logicalParentUuid?: unknown;
  subtype?: unknown;
  isSidechain?: unknown;
  isCompactSummary?: unknown;
  isMeta?: unknown;
  compactMetadata?: unknown;
  message?: { id?: unknown; content?: unknown } | null;
}

// The same facts that the skimmer finds; a test compares the two on every line of the corpus.
function noteEntry(table: LineTable, line: number, entry: Entry | undefined): void {
  if (!entry) {
    table.kind[line] = table.flags[line] = 0;
    table.uuid[line] = table.parent[line] = table.message[line] = 0;
    return;
  }
  const keys = entry as NodeKeys;
  const kind = lineKinds.indexOf(entry.type as LineKind);
  table.kind[line] = kind > 0 ? kind : lineKinds.indexOf("other");
  table.flags[line] = flagsOf(keys);
  table.uuid[line] = hashOf(keys.uuid);
  table.parent[line] = hashOf(keys.parentUuid) || hashOf(keys.logicalParentUuid);
  table.message[line] = hashOf(keys.message?.id);
  const content = keys.message?.content;
  if (!Array.isArray(content)) return;
  const blocks = content as ({ type?: unknown; id?: unknown; tool_use_id?: unknown } | null)[];
  for (const block of blocks)
    if (block?.type === "tool_use") noteTool(table, line, { id: block.id, isResult: false });
  for (const block of blocks) {
    if (block?.type === "tool_result") noteTool(table, line, { id: block.tool_use_id, isResult: true });
  }
}

function noteTool(
  table: LineTable,
  line: number,
  { id, isResult }: { id: unknown; isResult: boolean },
): void {
  const hash = hashOf(id);
  if (hash !== 0) table.addTool(line, hash, isResult);
}

function flagsOf(keys: NodeKeys): number {
  let flags = 0;
  if (keys.isSidechain === true) flags |= Flag.sidechain;
  if (keys.isCompactSummary === true) flags |= Flag.compactSummary;
  if (keys.isMeta === true) flags |= Flag.meta;
  if (keys.subtype === "compact_boundary") flags |= Flag.compactBoundary;
  if (typeof keys.parentUuid !== "string" && typeof keys.logicalParentUuid === "string")
    flags |= Flag.logicalParent;
  const metadata = keys.compactMetadata;
  if (
    typeof metadata === "object" &&
    metadata !== null &&
    ("preservedSegment" in metadata || "preservedMessages" in metadata)
  ) {
    flags |= Flag.preserved;
  }
  return flags;
}

function hashOf(text: unknown): number {
  return typeof text === "string" ? hashText(text) : 0;
}
