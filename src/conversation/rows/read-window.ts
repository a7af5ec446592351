import { Flag } from "../../store/line/line-table.ts";
import { storeError } from "../../store/errors.ts";
import type { ConversationRows } from "./conversation-rows.ts";
import type { RowsNow } from "./kept-transcripts.ts";
import { windowRowsMax } from "./limits.ts";
import type { RowAddress } from "./row-address.ts";
import type { RowWindow } from "./row.ts";

export interface WindowQuery {
  from?: number | undefined;
  /** A uuid that the answer has in its middle. */
  around?: string | undefined;
  limit?: number | undefined;
}

const windowRows = 100;

/** Numbered rows. Throws `entry_not_found` when `around` is none of the conversation. */
export function readWindow(
  { rows, generation }: RowsNow,
  { from, around, limit = windowRows }: WindowQuery,
  address: RowAddress,
): RowWindow {
  const count = Math.min(limit, windowRowsMax);
  const start = around === undefined ? (from ?? 0) : rowAround(rows, around) - Math.floor(count / 2);
  const first = Math.max(0, Math.min(start, rows.total));
  const last = Math.min(rows.total, first + count);
  const numbers = Array.from({ length: last - first }, (_, index) => first + index);
  return {
    generation,
    total: rows.total,
    from: first,
    rows: numbers.map((row) => rows.read(row, address)),
  };
}

function rowAround(rows: ConversationRows, uuid: string): number {
  const row = rows.rowOfUuid(uuid);
  if (row !== undefined) return row;
  throw storeError(
    "entry_not_found",
    `Cannot show entry "${uuid}": it is not in this conversation; it may be on another branch, or before the last compaction`,
  );
}

/**
 * The numbers of rows that are new or were completed since somebody knew the first `known` of them: new ones, and those whose
 * tools may have got results since.
 */
export function changedRows(rows: ConversationRows, known: number): number[] {
  const { table, places, total } = rows;
  const changed = new Set<number>();
  const lastKnown = places.lines[Math.min(known, places.lines.length) - 1];
  if (lastKnown !== undefined) {
    for (let tool = table.toolCount - 1; tool >= 0 && table.toolLine[tool]! > lastKnown; tool--) {
      const row = places.rowOf[table.toolLine[tool]!]!;
      if (row >= 0) changed.add(row);
    }
    if (hasRetraction(rows, lastKnown)) for (let row = 0; row < known; row++) changed.add(row);
  }
  for (let row = known; row < total; row++) changed.add(row);
  return [...changed].sort((a, b) => a - b);
}

// What is taken back may stand anywhere before; it seldom is.
function hasRetraction({ table }: ConversationRows, after: number): boolean {
  for (let line = table.count - 1; line > after; line--) if (table.has(line, Flag.retraction)) return true;
  return false;
}
