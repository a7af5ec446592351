import fs from "node:fs";
import { findUnansweredTools } from "./unanswered-tools.ts";
import { findDamagedLines } from "./damaged-lines.ts";
import { findBrokenLinks } from "./broken-links.ts";
import type { LineDefect, TranscriptDefect } from "./transcript-defect.ts";
import type { LineTable } from "../../store/line/line-table.ts";
import { openTranscriptFile } from "../../store/read/open-transcript.ts";
import { preservedLines } from "../../store/read/preserved-lines.ts";
import { scanTable } from "../../store/line/scan-table.ts";
import { findDefaultLeaf } from "../../store/read/default-leaf.ts";
import { needsEarlierLines, walkConversation } from "../../store/read/walk-conversation.ts";

export interface FindDefectsOptions {
  /** A helper's transcript, whose parents are in the main one: only its lines are looked at. */
  linesOnly?: boolean | undefined;
  /** Its owner may still be writing: what a half-written turn looks like is no defect. */
  isOpen?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** Everything wrong in a transcript, in one pass over its lines. Memory is bounded by the number of lines. */
export async function findDefects(
  file: string,
  options: FindDefectsOptions = {},
): Promise<TranscriptDefect[]> {
  const fd = openTranscriptFile(file);
  try {
    return defectsIn(await scanTable(fd, { signal: options.signal }), fd, options);
  } finally {
    fs.closeSync(fd);
  }
}

function defectsIn(
  table: LineTable,
  fd: number,
  { linesOnly = false, isOpen = false }: FindDefectsOptions,
): TranscriptDefect[] {
  const damaged = findDamagedLines(table, fd, { isOpen });
  if (linesOnly) return damaged;
  const leaf = findDefaultLeaf(table);
  if (leaf === undefined || leaf === needsEarlierLines) return damaged;
  const preservedBy = (boundary: number): ReturnType<typeof preservedLines> =>
    preservedLines(table, fd, boundary);
  const whole = walkConversation(table, { leaf, mode: "full", preservedBy });
  const context = walkConversation(table, { leaf, mode: "context", preservedBy });
  const links = whole === needsEarlierLines ? [] : findBrokenLinks(table, whole);
  const tools = context === needsEarlierLines || isOpen ? [] : findUnansweredTools(table, fd, context.lines);
  return [
    ...damaged,
    ...links.filter(({ offset, bridgeTo }) => !liesBetween(damaged, bridgeTo?.offset ?? 0, offset)),
    ...tools.filter(({ offset }) => !liesBetween(damaged, offset, nextMessage(table, offset))),
  ];
}

// A missing entry may be the damaged line itself. It comes back, or proves to be gone, when that line is fixed.
function liesBetween(damaged: readonly LineDefect[], from: number, to: number): boolean {
  return damaged.some(({ offset }) => offset > from && offset < to);
}

/** Where the first message behind a tool use begins that is not part of the same one. */
function nextMessage(table: LineTable, offset: number): number {
  let message: number | undefined;
  for (let line = 0; line < table.count; line++) {
    if (table.offset[line] === offset) message = table.message[line];
    else if (message !== undefined && isMessageLine(table, line) && table.message[line] !== message)
      return table.offset[line]!;
  }
  return Infinity;
}

function isMessageLine(table: LineTable, line: number): boolean {
  return table.kindOf(line) === "assistant" || (table.kindOf(line) === "user" && !table.answersTool(line));
}
