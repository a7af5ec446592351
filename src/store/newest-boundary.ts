import { findLineStart, readBytes } from "../lib/line-scanner.ts";
import { LineSkimmer } from "./skim-line.ts";

const MARK = Buffer.from('"compact_boundary"');
const WINDOW_BYTES = 1 << 20;

/**
 * The offset of the last compaction boundary before `end`, found by searching bytes backwards; undefined when
 * there is none. The mark may also stand inside other text, so the line is skimmed before it is believed.
 */
export function findNewestBoundary(fd: number, end: number): number | undefined {
  const skimmer = new LineSkimmer();
  let searchEnd = end;
  while (searchEnd > 0) {
    const start = Math.max(0, searchEnd - WINDOW_BYTES);
    const window = readBytes(fd, { offset: start, length: searchEnd - start });
    let hit = window.lastIndexOf(MARK);
    while (hit >= 0) {
      const lineStart = findLineStart(fd, start + hit);
      if (isBoundary(fd, { lineStart, hit: start + hit, end, skimmer })) return lineStart;
      hit = hit === 0 ? -1 : window.lastIndexOf(MARK, hit - 1);
    }
    if (start === 0) return undefined;
    // Overlap, so that a mark across two windows is found.
    searchEnd = start + MARK.length - 1;
  }
  return undefined;
}

interface Candidate {
  lineStart: number;
  hit: number;
  end: number;
  skimmer: LineSkimmer;
}

// Boundary lines are short; a candidate deep inside a long line is text of a message.
const BOUNDARY_LINE_BYTES_MAX = 1 << 20;

function isBoundary(fd: number, { lineStart, hit, end, skimmer }: Candidate): boolean {
  if (hit - lineStart > BOUNDARY_LINE_BYTES_MAX) return false;
  const bytes = readBytes(fd, {
    offset: lineStart,
    length: Math.min(end - lineStart, BOUNDARY_LINE_BYTES_MAX),
  });
  const newline = bytes.indexOf(10);
  if (!skimmer.skim(bytes, 0, newline < 0 ? bytes.length : newline) || skimmer.isSidechain) return false;
  return lineStart + skimmer.subtype.start - 1 === hit;
}
