import type { CompactMetadata } from "../../format/entries/system.ts";
import { Flag, hashText, type LineTable } from "../line/line-table.ts";
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
  // Of what was written again, the one above the boundary was preserved.
  const find = (uuid: unknown): number | undefined =>
    typeof uuid === "string" ? table.parentFor(boundary, hashText(uuid)) : undefined;
  const anchor = find(messages?.anchorUuid ?? segment?.anchorUuid);
  if (anchor === undefined) return undefined;
  if (Array.isArray(messages?.uuids)) {
    const found = messages.uuids.map(find);
    // Those that the client wrote behind the summary itself (2.1.226) hang there already.
    const lines = found.filter((line) => line !== undefined && line < boundary);
    const isAgents = table.has(boundary, Flag.sidechain);
    // Only a sub-agent's are written both above the boundary and behind it.
    const isKnown = (line: number | undefined): boolean =>
      line !== undefined && (line < boundary || !isAgents);
    return { anchor, lines: lines as number[], complete: found.every(isKnown) };
  }
  return segmentLines(table, {
    anchor,
    head: find(segment?.headUuid),
    tail: find(segment?.tailUuid),
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
    line = table.parentFor(line);
  }
  // The head was not reached: without it the segment has no known beginning, so only its tail is certain.
  return { anchor, lines: tail === undefined ? [] : [tail], complete: false };
}
