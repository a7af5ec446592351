import { findLineStart, readBytes } from "../../lib/line-scanner.ts";
import { LineSkimmer } from "../line/skim-line.ts";

const MARK = Buffer.from('"compact_boundary"');
const WINDOW_BYTES = 1 << 20;

/**
 * The offset of the last compaction boundary before `end`, found by searching bytes backwards; undefined when
 * there is none. The mark may also stand inside other text, so the line is skimmed before it is believed.
 */
export function findNewestBoundary(fd: number, end: number): number | undefined {
  // One for all windows: a new one for each would pile up faster than it is collected.
  const buffer = Buffer.allocUnsafe(Math.min(WINDOW_BYTES, end));
  let searchEnd = end;
  while (searchEnd > 0) {
    const start = Math.max(0, searchEnd - WINDOW_BYTES);
    const window = readBytes(fd, { offset: start, length: searchEnd - start, into: buffer });
    // Overlap, so that a mark across two windows is found.
    searchEnd = start === 0 ? 0 : start + MARK.length - 1;
    let hit = window.lastIndexOf(MARK);
    while (hit >= 0) {
      const lineStart = findLineStart(fd, start + hit);
      if (isBoundary(fd, { lineStart, end })) return lineStart;
      // One look at a line is enough: whatever else stands in it, it is no boundary.
      searchEnd = Math.min(searchEnd, lineStart);
      const before = lineStart - start - MARK.length;
      hit = before < 0 ? -1 : window.lastIndexOf(MARK, before);
    }
  }
  return undefined;
}

// Boundary lines are short; a candidate deep inside a long line is text of a message.
const BOUNDARY_LINE_BYTES_MAX = 1 << 20;

function isBoundary(fd: number, { lineStart, end }: { lineStart: number; end: number }): boolean {
  const bytes = readBytes(fd, {
    offset: lineStart,
    length: Math.min(end - lineStart, BOUNDARY_LINE_BYTES_MAX),
  });
  const newline = bytes.indexOf(10);
  const skimmer = new LineSkimmer();
  if (!skimmer.skim(bytes, 0, newline < 0 ? bytes.length : newline) || skimmer.isSidechain) return false;
  const { start, end: subtypeEnd } = skimmer.subtype;
  return start >= 0 && bytes.subarray(start - 1, subtypeEnd + 1).equals(MARK);
}
