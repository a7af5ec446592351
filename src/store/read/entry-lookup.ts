import fs from "node:fs";
import { isCompactBoundary, isCompactSummary, textOf } from "../../format/entry-kinds.ts";
import type { CompactBoundaryEntry, Entry } from "../../format/index.ts";
import { entryNotFound } from "../errors.ts";
import { Flag, hashText, type LineTable } from "../line/line-table.ts";
import { findUuid } from "./find-uuid.ts";
import { openTranscriptFile } from "./open-transcript.ts";
import { readTableLine } from "../line/read-line.ts";
import { scanTable } from "../line/scan-table.ts";

/** The entry with this uuid, or one that begins so (the last, should several lines carry it). Throws as findUuid. */
export async function readEntry(file: string, typed: string): Promise<Entry> {
  const uuid = await findUuid(file, typed);
  return withTable(file, ({ lineOf, find }) => {
    const entry = find(lineOf(uuid));
    if (entry === undefined) throw entryNotFound(file, uuid);
    return entry;
  });
}

/** From the root to the entry, by parents alone, across compaction boundaries; a circle ends it. */
export async function readAncestry(file: string, typed: string): Promise<Entry[]> {
  const uuid = await findUuid(file, typed);
  return withTable(file, ({ table, lineOf, find }) => {
    const lines = new Set<number>();
    let line: number | undefined = lineOf(uuid);
    while (line !== undefined && !lines.has(line)) {
      lines.add(line);
      line = table.findByUuid(table.parent[line]!);
    }
    return [...lines]
      .reverse()
      .map(find)
      .filter((entry) => entry !== undefined);
  });
}

/** How many entries of each type the file holds; `rejected` counts the lines that are none. */
export async function countEntries(file: string): Promise<Record<string, number>> {
  return withTable(file, ({ table, find }) => {
    const counts = new Map<string, number>();
    for (let line = 0; line < table.count; line++) {
      const kind = table.kindOf(line);
      const type = kind === "other" ? (find(line)?.type ?? "rejected") : kind;
      counts.set(type, (counts.get(type) ?? 0) + 1);
    }
    return Object.fromEntries(counts);
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
export async function readCompactions(file: string): Promise<Compaction[]> {
  return withTable(file, ({ table, find }) => {
    const compactions: Compaction[] = [];
    for (let line = 0; line < table.count; line++) {
      if (!table.has(line, Flag.compactBoundary)) continue;
      const boundary = find(line);
      if (boundary && isCompactBoundary(boundary))
        compactions.push(compactionOf(boundary, summaryBehind(table, line, find)));
    }
    return compactions;
  });
}

function compactionOf(boundary: CompactBoundaryEntry, summary: string | undefined): Compaction {
  const { uuid, timestamp = "", compactMetadata } = boundary;
  return {
    uuid,
    timestamp,
    trigger: compactMetadata?.trigger,
    preTokens: compactMetadata?.preTokens,
    postTokens: compactMetadata?.postTokens,
    summary,
  };
}

// The summary is the next line in every real file; a boundary behind which the client died has none.
function summaryBehind(table: LineTable, boundary: number, find: Lookup["find"]): string | undefined {
  for (let line = boundary + 1; line < table.count; line++) {
    if (table.has(line, Flag.compactBoundary)) return undefined;
    if (!table.has(line, Flag.compactSummary)) continue;
    const entry = find(line);
    return entry && isCompactSummary(entry) ? textOf(entry) : undefined;
  }
  return undefined;
}

interface Lookup {
  table: LineTable;
  lineOf: (uuid: string) => number;
  /** Undefined for a line that only parsing refuses, and for one that changed since it was scanned. */
  find: (line: number) => Entry | undefined;
}

async function withTable<T>(file: string, use: (lookup: Lookup) => T): Promise<T> {
  const fd = openTranscriptFile(file);
  try {
    const table = await scanTable(fd);
    return use({
      table,
      lineOf: (uuid) => {
        const line = table.findByUuid(hashText(uuid));
        if (line === undefined) throw entryNotFound(file, uuid);
        return line;
      },
      find: (line) => {
        const read = readTableLine(table, fd, line);
        return read.ok ? read.entry : undefined;
      },
    });
  } finally {
    fs.closeSync(fd);
  }
}
