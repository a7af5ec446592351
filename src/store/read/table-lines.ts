import { uuidOf } from "../../format/entry-kinds.ts";
import type { LineTable } from "../line/line-table.ts";
import { readTableLine } from "../line/read-line.ts";
import type { Rejection } from "../line/rejection.ts";

/**
 * The lines that are no entries. Of a part of the file only those behind the first line returned: the rest was not asked for.
 */
export function rejectionsOf(table: LineTable, fd: number, lines: readonly number[]): Rejection[] {
  const first = table.from === 0 ? 0 : Math.min(...lines.slice(0, 1), table.count);
  const rejections: Rejection[] = [];
  for (let line = first; line < table.count; line++) {
    if (table.kind[line] !== 0) continue;
    const read = readTableLine(table, fd, line);
    if (!read.ok) rejections.push(read.rejection);
  }
  return rejections;
}

/** The uuid that a line carries. */
export function uuidAt(table: LineTable, fd: number, line: number): string | undefined {
  const read = readTableLine(table, fd, line);
  return read.ok ? uuidOf(read.entry) : undefined;
}
