import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { offsetTableFileBytesMin } from "../format/limits.ts";
import { writeFileAtomic } from "../lib/atomic-write.ts";
import { ensurePrivateDir } from "../lib/private-dir.ts";
import { compareCoverage, coverageOf, type FileCoverage } from "./file-coverage.ts";
import { LineTable } from "./line-table.ts";
import { scanIntoTableSlowly } from "./scan-table.ts";

export interface OffsetTableOptions {
  /** Where tables are kept; without it every call scans the file. */
  indexDir?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * The line table of a whole transcript. A kept table is extended when the file grew, thrown away when the file
 * shrank, was replaced or changed at its head or where the table ended, and never a reason to fail: a table that
 * cannot be read or written only costs a scan.
 */
export async function loadLineTable(
  file: string,
  fd: number,
  options: OffsetTableOptions = {},
): Promise<LineTable> {
  const stat = fs.fstatSync(fd);
  const cacheFile =
    options.indexDir && stat.size >= offsetTableFileBytesMin ? tablePath(options.indexDir, file) : undefined;
  const kept = cacheFile && readTable(cacheFile);
  const state = kept ? compareCoverage(fd, kept.coverage) : "changed";
  if (kept && state === "current") return kept.table;
  const table = kept && state === "grown" ? kept.table : new LineTable();
  await scanIntoTableSlowly(table, fd, { from: table.to, to: stat.size, signal: options.signal });
  if (cacheFile) keepTable(cacheFile, table, coverageOf(fd, { to: table.to, stat }));
  return table;
}

function tablePath(indexDir: string, file: string): string {
  const name = createHash("sha256").update(path.resolve(file)).digest("hex").slice(0, 32);
  return path.join(indexDir, "offsets", `${name}.table`);
}

const MAGIC = "holdfast-offsets-2";
const COLUMNS = ["offset", "uuid", "parent", "message", "length", "kind", "flags"] as const;
const TOOL_COLUMNS = ["toolId", "toolLine", "toolIsResult"] as const;

interface TableHeader {
  magic: string;
  count: number;
  toolCount: number;
  coverage: FileCoverage;
}

// A checksum of the rest, a line of JSON, then the columns as they are in memory (little-endian on every machine
// that Node supports).
function keepTable(cacheFile: string, table: LineTable, coverage: FileCoverage): void {
  const parts: Buffer[] = [];
  for (const name of COLUMNS) parts.push(bytesOf(table[name].subarray(0, table.count)));
  for (const name of TOOL_COLUMNS) parts.push(bytesOf(table[name].subarray(0, table.toolCount)));
  const header: TableHeader = { magic: MAGIC, count: table.count, toolCount: table.toolCount, coverage };
  const rest = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...parts]);
  try {
    ensurePrivateDir(path.dirname(cacheFile));
    writeFileAtomic(cacheFile, Buffer.concat([Buffer.from(`${crc32(rest)}\n`), rest]));
  } catch {
    /* A cache that cannot be kept is not an error: the next reader scans again. */
  }
}

function readTable(cacheFile: string): { table: LineTable; coverage: FileCoverage } | undefined {
  try {
    const bytes = fs.readFileSync(cacheFile);
    const checksumEnd = bytes.indexOf(10);
    const rest = bytes.subarray(checksumEnd + 1);
    if (bytes.toString("latin1", 0, checksumEnd) !== String(crc32(rest))) return undefined;
    const headerEnd = rest.indexOf(10);
    const header = JSON.parse(rest.toString("utf8", 0, headerEnd)) as TableHeader;
    if (header.magic !== MAGIC) return undefined;
    return { table: tableOf(header, rest.subarray(headerEnd + 1)), coverage: header.coverage };
  } catch {
    return undefined;
  }
}

function tableOf(header: TableHeader, body: Buffer): LineTable {
  const table = new LineTable();
  let at = 0;
  const take = (column: ColumnArray, count: number): ColumnArray => {
    const length = count * column.BYTES_PER_ELEMENT;
    // Copied, because a column must start at a multiple of its element size, and the header has any length.
    const copy = new Uint8Array(length);
    copy.set(body.subarray(at, at + length));
    at += length;
    const Column = column.constructor as new (buffer: ArrayBuffer) => ColumnArray;
    return new Column(copy.buffer);
  };
  const columns = table as unknown as Record<string, ColumnArray>;
  for (const name of COLUMNS) columns[name] = take(table[name], header.count);
  for (const name of TOOL_COLUMNS) columns[name] = take(table[name], header.toolCount);
  table.count = header.count;
  table.toolCount = header.toolCount;
  table.from = 0;
  table.to = header.coverage.to;
  return table;
}

type ColumnArray = Float64Array | Uint32Array | Uint8Array;

function bytesOf(column: ColumnArray): Buffer {
  return Buffer.from(column.buffer, column.byteOffset, column.byteLength);
}
