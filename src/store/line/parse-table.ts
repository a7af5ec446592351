import type { Entry } from "../../format/index.ts";
import { entryOfText } from "../../format/line-entry.ts";
import { isBlank, readBytes } from "../../lib/line-scanner.ts";
import { Flag, LineTable, hashText, lineKinds, type LineKind } from "./line-table.ts";
import { entryOfLine } from "./read-line.ts";

/**
 * As scanIntoTable, for a piece of a few megabytes at the end of a file: every line is parsed, and the entries are kept
 * with the table, because most of them are about to be returned. In a process that has just started this takes a third
 * of the time of skimming first. `later` is the table of what stands behind the piece, and goes into the one returned.
 */
export function parseIntoTable(
  fd: number,
  { from, to, later }: { from: number; to: number; later?: LineTable | undefined },
): LineTable {
  const table = new LineTable();
  const parsed = later?.parsed ?? new Map<number, Entry>();
  table.from = from;
  table.parsed = parsed;
  const hashOf = rememberedHashes();
  const isShort = to - from <= WHOLE_BYTES_MAX;
  for (const chunk of readLines(fd, { from, to, chunkBytes: isShort ? to - from : CHUNK_BYTES })) {
    const parse = isShort ? textParser(chunk.bytes) : lineParser(chunk.bytes);
    for (let start = 0; start < chunk.bytes.length;) {
      const newline = chunk.bytes.indexOf(NEWLINE, start);
      const end = newline < 0 ? chunk.bytes.length : newline;
      const offset = chunk.offset + start;
      const entry = parse(start, end);
      const isEmpty = entry === undefined && isBlank(chunk.bytes, start, end);
      if (newline >= 0 || entry || isEmpty) table.to = offset + end - start + (newline < 0 ? 0 : 1);
      if (!isEmpty) {
        const line = table.addLine();
        table.offset[line] = offset;
        table.length[line] = end - start;
        noteEntry(table, line, { entry, hashOf });
        if (entry) parsed.set(offset, entry);
      }
      start = end + 1;
    }
  }
  if (later) table.append(later);
  return table;
}

/** A piece up to this is read and decoded at once; a longer one line by line, so that memory holds little but entries. */
const WHOLE_BYTES_MAX = 3 << 19;
const CHUNK_BYTES = 1 << 18;
const NEWLINE = 10;

// Parts of whole lines, each into the same memory; only the last line may lack its newline.
function* readLines(
  fd: number,
  { from, to, chunkBytes }: { from: number; to: number; chunkBytes: number },
): Generator<{ offset: number; bytes: Buffer }> {
  let buffer = Buffer.allocUnsafeSlow(chunkBytes);
  for (let offset = from; offset < to;) {
    const bytes = readBytes(fd, { offset, length: Math.min(buffer.length, to - offset), into: buffer });
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (bytes.length < buffer.length || offset + bytes.length >= to) {
      yield { offset, bytes };
      return;
    }
    if (end > 0) yield { offset, bytes: bytes.subarray(0, end) };
    // A line that is longer than the buffer.
    else buffer = Buffer.allocUnsafeSlow(buffer.length * 2);
    offset += end;
  }
}

type EntryParser = (start: number, end: number) => Entry | undefined;

function lineParser(bytes: Buffer): EntryParser {
  return (start, end) => entryOfLine(bytes.subarray(start, end));
}

// Decodes all lines at once: a string for each would cost as much again, mostly in being collected. A newline is the
// same in bytes and in text, so the lines are asked for in order.
function textParser(bytes: Buffer): EntryParser {
  const text = bytes.toString("utf8");
  let at = 0;
  return () => {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, end);
    at = end + 1;
    return entryOfText(line);
  };
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
function noteEntry(
  table: LineTable,
  line: number,
  { entry, hashOf }: { entry: Entry | undefined; hashOf: IdHash },
): void {
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
    if (block?.type === "tool_use") noteTool(table, line, { id: hashOf(block.id), isResult: false });
  for (const block of blocks) {
    if (block?.type === "tool_result")
      noteTool(table, line, { id: hashOf(block.tool_use_id), isResult: true });
  }
}

function noteTool(table: LineTable, line: number, { id, isResult }: { id: number; isResult: boolean }): void {
  if (id !== 0) table.addTool(line, id, isResult);
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

/** The hash of an id, 0 of anything else. */
type IdHash = (id: unknown) => number;

// Most ids stand in several lines, as a parent or as a tool that answers, and looking one up is the work of V8, while
// hashing it is that of code which has hardly been compiled yet.
function rememberedHashes(): IdHash {
  const hashes = new Map<string, number>();
  return (id) => {
    if (typeof id !== "string") return 0;
    let hash = hashes.get(id);
    if (hash === undefined) hashes.set(id, (hash = hashText(id)));
    return hash;
  };
}
