import type { CompactMetadata } from "../../format/entries/system.ts";
import { hashText, type LineTable } from "../line/line-table.ts";
import { readTableLine } from "../line/read-line.ts";
import type { Preserved } from "./walk-conversation.ts";

/**
 * The lines that a compaction boundary kept alive: named one by one, or as the chain from a tail up to a head.
 * Uuids that were never written (real files name such) are left out.
 */
export function preservedLines(table: LineTable, fd: number, boundary: number): Preserved | undefined {
  const read = readTableLine(table, fd, boundary);
  if (!read.ok) return undefined;
  const metadata = (read.entry as { compactMetadata?: CompactMetadata }).compactMetadata ?? {};
  const { preservedMessages: messages, preservedSegment: segment } = metadata;
  const anchor = find(table, messages?.anchorUuid ?? segment?.anchorUuid);
  if (anchor === undefined) return undefined;
  if (Array.isArray(messages?.uuids)) {
    const found = messages.uuids.map((uuid) => find(table, uuid));
    const lines = found.filter((line) => line !== undefined && line < boundary);
    return { anchor, lines: lines as number[], complete: lines.length === messages.uuids.length };
  }
  return segmentLines(table, {
    anchor,
    head: find(table, segment?.headUuid),
    tail: find(table, segment?.tailUuid),
  });
}

function segmentLines(
  table: LineTable,
  ends: { anchor: number; head: number | undefined; tail: number | undefined },
): Preserved {
  const { anchor, head, tail } = ends;
  const lines: number[] = [];
  const seen = new Set<number>();
  let line = tail;
  while (line !== undefined && !seen.has(line)) {
    seen.add(line);
    lines.unshift(line);
    if (line === head) return { anchor, lines, complete: true };
    line = table.findByUuid(table.parent[line]!);
  }
  // The head was not reached: without it the segment has no known beginning, so only its tail is certain.
  return { anchor, lines: tail === undefined ? [] : [tail], complete: false };
}

function find(table: LineTable, uuid: string | undefined): number | undefined {
  return typeof uuid === "string" ? table.findByUuid(hashText(uuid)) : undefined;
}
