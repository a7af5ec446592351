import type { LineTable } from "../../store/line/line-table.ts";
import { readLine } from "../../store/line/read-line.ts";
import { readBytes } from "../../lib/line-scanner.ts";
import type { Rejection, RejectionReason } from "../../store/index.ts";
import { salvageLine } from "../repair/salvage-line.ts";
import type { LineDefect } from "./transcript-defect.ts";

/** Lines that are no entries. The last one of an open session is left out while it may still grow. */
export function findDamagedLines(
  table: LineTable,
  fd: number,
  { isOpen }: { isOpen: boolean },
): LineDefect[] {
  const found: LineDefect[] = [];
  for (let line = 0; line < table.count; line++) {
    if (table.kindOf(line) !== "rejected") continue;
    const [offset, length] = [table.offset[line]!, table.length[line]!];
    if (isOpen && line === table.count - 1 && offset + length > table.to) continue;
    const read = readLine(fd, { offset, length });
    if (!read.ok) found.push({ kind: kindOf(fd, read.rejection), offset, length });
  }
  return found;
}

const defectOf: Record<RejectionReason, LineDefect["kind"]> = {
  torn: "torn-line",
  glued: "glued-lines",
  "nul-bytes": "nul-bytes",
  "not-json": "foreign-line",
  "not-an-object": "foreign-line",
  "no-type": "foreign-line",
  "too-long": "foreign-line",
};

// A torn line that somebody wrote on is neither JSON nor foreign: there is an entry in it.
function kindOf(fd: number, { offset, length, reason }: Rejection): LineDefect["kind"] {
  const kind = defectOf[reason];
  if (kind !== "foreign-line" || reason === "too-long") return kind;
  return salvageLine(readBytes(fd, { offset, length })).length > 0 ? "glued-lines" : kind;
}
