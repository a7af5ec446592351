import { Flag, type LineTable } from "../../store/line/line-table.ts";
import { readLineBytes } from "../../store/line/read-line.ts";
import { entryItems } from "../entry-items.ts";
import type { Entry } from "../../format/entries/entry.ts";
import type { ConversationRows } from "./conversation-rows.ts";
import { inTurns } from "./in-turns.ts";

/** Which rows a minimap marks, and where the conversation can be jumped to. */
export interface RowMarks {
  prompts: Set<number>;
  failures: Set<number>;
  compactions: Set<number>;
  agents: Set<number>;
  /** Lines of the table that were looked at. */
  lines: number;
}

/**
 * Reads the lines of a conversation once for their marks: of most of them only the bytes are looked at. Goes on where `before`
 * ended, which is of the same rows.
 */
export async function digestRows(
  rows: ConversationRows,
  { before, signal }: { before?: RowMarks | undefined; signal: AbortSignal },
): Promise<RowMarks> {
  const { table, places, fd, found } = rows;
  const from = before?.lines ?? 0;
  const marks: RowMarks = {
    prompts: new Set(before?.prompts),
    failures: new Set(before?.failures),
    compactions: new Set(before?.compactions),
    agents: new Set(before?.agents),
    lines: table.count,
  };
  const lines = from === 0 ? found.walk.lines : found.walk.lines.filter((line) => line >= from);
  for await (const turn of inTurns(lines, signal)) {
    for (const line of turn) {
      const isMarked = mayBeMarked(table, line) || holdsMark(fd, table, line);
      const entry = isMarked ? rows.entryAt(line)?.entry : undefined;
      if (entry) mark(marks, places.rowOf[line]!, entry);
    }
  }
  for (let row = places.lines.length; row < rows.total; row++) {
    const owed = rows.entryOf(row);
    if (owed) mark(marks, row, owed.entry);
  }
  return marks;
}

function mark(marks: RowMarks, row: number, entry: Entry): void {
  for (const item of entryItems(entry)) {
    if (item.kind === "prompt") marks.prompts.add(row);
    else if (item.kind === "compaction") marks.compactions.add(row);
    else if (item.kind === "call" && item.tool.agent) marks.agents.add(row);
    else if ((item.kind === "result" && item.result.isError) || (item.kind === "notice" && item.isError))
      marks.failures.add(row);
  }
}

// What a person typed, and what the client says of itself, is parsed; there is little of it.
function mayBeMarked(table: LineTable, line: number): boolean {
  if (table.has(line, Flag.compactBoundary) || table.has(line, Flag.apiError)) return true;
  const kind = table.kindOf(line);
  if (kind === "user") return !table.answersTool(line) || table.has(line, Flag.otherBlocks);
  return kind === "queue-operation" || kind === "system";
}

function holdsMark(fd: number, table: LineTable, line: number): boolean {
  const bytes = readLineBytes(fd, { offset: table.offset[line]!, length: table.length[line]! });
  return bytes !== undefined && MARKS.some((each) => bytes.includes(each));
}

// As clients write them, and as another program may.
const MARKS = [
  'is_error":true',
  'is_error": true',
  'ApiErrorMessage":true',
  'ApiErrorMessage": true',
  '"queued_command"',
  '"hook_blocking_error"',
  '_error"',
  '"Task"',
  '"Agent"',
].map((text) => Buffer.from(text));
