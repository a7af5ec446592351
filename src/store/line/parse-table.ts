import type { Entry } from "../../format/index.ts";
import { lineBytesMax } from "../../format/limits.ts";
import { isBlank, scanLines } from "../../lib/line-scanner.ts";
import { Flag, LineTable, hashText, lineKinds, type LineKind } from "./line-table.ts";
import { entryOfLine } from "./read-line.ts";

/**
 * As scanTable, for a piece of a few megabytes at the end of a file: every line is parsed, and the entries are kept
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
  scanLines(fd, { from, to, lineBytesMax }, (bytes, start, end, { offset, length, terminated }) => {
    const entry = entryOfLine(bytes.subarray(start, end));
    const isEmpty = entry === undefined && isBlank(bytes, start, end);
    if (terminated || entry || isEmpty) table.to = offset + length + (terminated ? 1 : 0);
    if (isEmpty) return;
    const line = table.addLine();
    table.offset[line] = offset;
    table.length[line] = length;
    noteEntry(table, line, { entry, hashOf });
    if (entry) parsed.set(offset, entry);
  });
  if (later) table.append(later);
  return table;
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
  if (blocks.some((block) => block?.type !== "tool_use" && block?.type !== "tool_result"))
    table.flags[line] |= Flag.otherBlocks;
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
  if (keys.subtype === "api_error") flags |= Flag.apiError;
  if (keys.subtype === "model_refusal_fallback") flags |= Flag.retraction;
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
