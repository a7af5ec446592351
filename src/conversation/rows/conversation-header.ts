import { isCompactBoundary, isCompactSummary } from "../../format/entry-kinds.ts";
import { helpersBeside } from "../../store/read/helpers-beside.ts";
import { isContextStart } from "../../store/read/context-start.ts";
import { linesElsewhere } from "../../store/read/elsewhere.ts";
import { rejectionsOf, uuidAt } from "../../store/read/table-lines.ts";
import { brokenGaps } from "../../store/read/walk-conversation.ts";
import type { ConversationGap } from "../../store/read/conversation.ts";
import type { Rejection } from "../../store/line/rejection.ts";
import { leavesNamedMax } from "../../store/limits.ts";
import type { CompactionItem } from "../conversation-item.ts";
import { elsewhereTexts, type ElsewhereText } from "../elsewhere-text.ts";
import { entryItems } from "../entry-items.ts";
import type { ConversationRows } from "./conversation-rows.ts";
import type { RowsNow } from "./kept-transcripts.ts";
import { rejectionsShownMax } from "./limits.ts";

/** What is known of a conversation beside its rows. */
export interface ConversationHeader {
  rows: number;
  generation: string;
  leaf: string | null;
  /** The row at which what the model still knows begins; 0 without a compaction. */
  contextFrom: number;
  compactions: (Omit<CompactionItem, "kind"> & { row: number })[];
  /** The newest messages of other branches. */
  branches: string[];
  elsewhere: ElsewhereText[];
  /** The first thousand lines that are no entries, and how many there are. */
  rejections: { total: number; shown: Rejection[] };
  gaps: ConversationGap[];
}

// A page asks again whenever it is looked at; of a long conversation it takes some dozen milliseconds.
const known = new WeakMap<ConversationRows, ConversationHeader>();

export function readHeader(file: string, now: RowsNow): ConversationHeader {
  const header = known.get(now.rows) ?? makeHeader(file, now);
  known.set(now.rows, header);
  return header;
}

function makeHeader(file: string, { rows, generation }: RowsNow): ConversationHeader {
  const { table, fd, found } = rows;
  const rejections = rejectionsOf(table, fd, found.walk.lines);
  const elsewhere = linesElsewhere(table, found.walk.lines, found.walk.path.at(-1) ?? 0);
  const leaves = elsewhere.leaves.slice(0, leavesNamedMax).flatMap((line) => uuidAt(table, fd, line) ?? []);
  const starts = contextStarts(rows);
  return {
    rows: rows.total,
    generation,
    leaf: rows.leaf ?? null,
    contextFrom: starts.at(-1) ?? 0,
    compactions: starts.flatMap((row) => compactionOf(rows, row) ?? []),
    branches: leaves,
    elsewhere: elsewhereTexts({
      ...elsewhere,
      leaves,
      rejected: rejections.length,
      helpers: helpersBeside(file),
    }),
    rejections: { total: rejections.length, shown: rejections.slice(0, rejectionsShownMax) },
    gaps: brokenGaps(table, found.walk).map(({ line, reason }) => ({
      uuid: uuidAt(table, fd, line),
      offset: table.offset[line]!,
      reason,
    })),
  };
}

function contextStarts({ table, places }: ConversationRows): number[] {
  const rows: number[] = [];
  places.lines.forEach((line, row) => {
    if (isContextStart(table, line)) rows.push(row);
  });
  return rows;
}

function compactionOf(
  rows: ConversationRows,
  row: number,
): ConversationHeader["compactions"][number] | undefined {
  const entry = rows.entryOf(row)?.entry;
  if (!entry || !(isCompactBoundary(entry) || isCompactSummary(entry))) return undefined;
  for (const item of entryItems(entry)) {
    if (item.kind !== "compaction") continue;
    const { kind: _, ...compaction } = item;
    return { ...compaction, row };
  }
  return undefined;
}
