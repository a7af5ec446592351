import { isJsonObject } from "../../format/json-object.ts";
import { Flag, type LineTable } from "../line/line-table.ts";
import { readTableLine } from "../line/read-line.ts";

/** The uuids of answers that the lines of a table say were taken back. */
export function retractedUuids(table: LineTable, fd: number): Set<string> {
  const uuids = new Set<string>();
  for (let line = 0; line < table.count; line++) {
    if (!table.has(line, Flag.retraction)) continue;
    const read = readTableLine(table, fd, line);
    const named = read.ok && isJsonObject(read.entry) ? read.entry["retractedMessageUuids"] : undefined;
    for (const uuid of Array.isArray(named) ? named : []) if (typeof uuid === "string") uuids.add(uuid);
  }
  return uuids;
}
