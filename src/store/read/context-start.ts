import { Flag, type LineTable } from "../line/line-table.ts";

/** Where a resume begins: a boundary or, before clients wrote such (until 1.0.108), a summary that hangs on nothing. */
export function isContextStart(table: LineTable, line: number): boolean {
  return table.has(line, Flag.compactBoundary) || isRootSummary(table, line);
}

/** A summary of that time. */
export function isRootSummary(table: LineTable, line: number): boolean {
  return table.has(line, Flag.compactSummary) && table.parent[line] === 0;
}

/** Whether a sub-agent's prompt stands here again, behind a compaction (2.1.88): the same uuid, and no parent either time. */
export function isPromptAgain(table: LineTable, line: number): boolean {
  if (table.parent[line] !== 0 || !table.has(line, Flag.sidechain) || table.has(line, Flag.apiError))
    return false;
  const first = table.copiesOf(line).findLast((copy) => copy < line);
  if (first === undefined) return false;
  for (let between = line - 1; between > first; between--)
    if (table.has(between, Flag.compactBoundary)) return true;
  return false;
}
