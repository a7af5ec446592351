import fs from "node:fs";
import { isCompactBoundary, isCompactSummary, textOf } from "../format/entry-kinds.ts";
import type { Entry } from "../format/index.ts";
import { entryNotFound, storeError } from "./errors.ts";
import { Flag, hashId, type LineTable } from "./line-table.ts";
import { loadLineTable, type OffsetTableOptions } from "./offset-table.ts";
import { openTranscriptFile } from "./open-transcript.ts";
import { readLine } from "./read-line.ts";

/** The entry with this uuid (the last, should several lines carry it). Throws `entry_not_found`. */
export async function readEntry(
  file: string,
  uuid: string,
  options: OffsetTableOptions = {},
): Promise<Entry> {
  return withTable(file, options, (lookup) => lookup.get(lookup.lineOf(uuid)));
}

/** From the root to the entry, by parents alone, across compaction boundaries; a circle ends it. */
export async function readAncestry(
  file: string,
  uuid: string,
  options: OffsetTableOptions = {},
): Promise<Entry[]> {
  return withTable(file, options, (lookup) => {
    const lines = new Set<number>();
    let line: number | undefined = lookup.lineOf(uuid);
    while (line !== undefined && !lines.has(line)) {
      lines.add(line);
      line = lookup.table.findByUuid(lookup.table.parent[line]!);
    }
    return [...lines].reverse().map((each) => lookup.get(each));
  });
}

/** How many entries of each type the file holds; `rejected` counts the lines that are none. */
export async function countEntries(
  file: string,
  options: OffsetTableOptions = {},
): Promise<Record<string, number>> {
  return withTable(file, options, ({ table, get }) => {
    const counts: Record<string, number> = {};
    for (let line = 0; line < table.count; line++) {
      const kind = table.kindOf(line);
      const type = kind === "other" ? get(line).type : kind;
      counts[type] = (counts[type] ?? 0) + 1;
    }
    return counts;
  });
}

export interface Compaction {
  /** The boundary's uuid. */
  uuid: string;
  timestamp: string;
  trigger: string | undefined;
  preTokens: number | undefined;
  postTokens: number | undefined;
  /** What the model was told instead of the messages before; undefined when it was never written. */
  summary: string | undefined;
}

/** The compactions of a session in file order, each with its summary. */
export async function readCompactions(file: string, options: OffsetTableOptions = {}): Promise<Compaction[]> {
  return withTable(file, options, ({ table, get }) => {
    const compactions: Compaction[] = [];
    for (let line = 0; line < table.count; line++) {
      if (!table.has(line, Flag.compactBoundary)) continue;
      const boundary = get(line);
      if (isCompactBoundary(boundary))
        compactions.push(compactionOf(boundary, summaryBehind(table, line, get)));
    }
    return compactions;
  });
}

function compactionOf(boundary: Entry, summary: string | undefined): Compaction {
  const { uuid, timestamp, compactMetadata } = boundary as {
    uuid?: string;
    timestamp?: string;
    compactMetadata?: { trigger?: string; preTokens?: number; postTokens?: number };
  };
  return {
    uuid: uuid ?? "",
    timestamp: timestamp ?? "",
    trigger: compactMetadata?.trigger,
    preTokens: compactMetadata?.preTokens,
    postTokens: compactMetadata?.postTokens,
    summary,
  };
}

// The summary is the next line in every real file; a boundary behind which the client died has none.
function summaryBehind(table: LineTable, boundary: number, get: (line: number) => Entry): string | undefined {
  for (let line = boundary + 1; line < table.count; line++) {
    if (table.has(line, Flag.compactBoundary)) return undefined;
    if (!table.has(line, Flag.compactSummary)) continue;
    const entry = get(line);
    return isCompactSummary(entry) ? textOf(entry) : undefined;
  }
  return undefined;
}

interface Lookup {
  table: LineTable;
  lineOf: (uuid: string) => number;
  get: (line: number) => Entry;
}

async function withTable<T>(
  file: string,
  options: OffsetTableOptions,
  use: (lookup: Lookup) => T,
): Promise<T> {
  const fd = openTranscriptFile(file);
  try {
    const table = await loadLineTable(file, fd, options);
    return use({
      table,
      lineOf: (uuid) => {
        const line = table.findByUuid(hashId(Buffer.from(uuid)));
        if (line === undefined) throw entryNotFound(file, uuid);
        return line;
      },
      get: (line) => {
        const read = readLine(fd, { offset: table.offset[line]!, length: table.length[line]! });
        if (!read.ok)
          throw storeError("file_changed", `Cannot read "${file}": it changed while it was read; try again`, {
            retryable: true,
          });
        return read.entry;
      },
    });
  } finally {
    fs.closeSync(fd);
  }
}
