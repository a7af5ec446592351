import fs from "node:fs";
import path from "node:path";
import { isJsonObject } from "../format/json-object.ts";
import { writeFileAtomic } from "../lib/atomic-write.ts";
import { ensurePrivateDir } from "../lib/private-dir.ts";
import { ROW_LENGTH } from "./message-table.ts";
import type { CountedFile } from "./read-messages.ts";
import type { UsageCell } from "./usage-cells.ts";

const VERSION = 2;

/** What the sums of all cells were made from: a listing that is the same gives the same sums. */
export interface KeptCells {
  stamp: string;
  files: Pick<CountedFile, "path" | "projectKey" | "sessionId" | "agentId">[];
  cells: UsageCell[];
}

/**
 * What was counted, in two files of the index folder: sums for when nothing changed (`usage.json`), and the messages of
 * each transcript for when something did (`usage.bin`). Caches: whoever writes last wins, losing them costs a scan.
 */
export class UsageCache {
  readonly #dir: string;

  constructor(indexDir: string) {
    this.#dir = indexDir;
  }

  readCells(stamp: string): KeptCells | undefined {
    try {
      const kept = JSON.parse(fs.readFileSync(this.#file("usage.json"), "utf8")) as CellsFile;
      if (kept.version !== VERSION || kept.stamp !== stamp) return undefined;
      return { stamp, files: kept.files, cells: kept.cells.map((values) => cellOf(values, kept)) };
    } catch {
      return undefined;
    }
  }

  writeCells({ stamp, files, cells }: KeptCells): void {
    const named = files.map(({ path: file, projectKey, sessionId, agentId }) => ({
      path: file,
      projectKey,
      sessionId,
      agentId,
    }));
    const models = [...new Set(cells.map(({ model }) => model))];
    const days = [...new Set(cells.map(({ day }) => day))];
    const content: CellsFile = {
      version: VERSION,
      stamp,
      files: named,
      models,
      days,
      cells: cells.map((cell) => valuesOf(cell, { models, days })),
    };
    this.#write("usage.json", Buffer.from(JSON.stringify(content)));
  }

  readFiles(): Map<string, CountedFile> {
    try {
      return decode(fs.readFileSync(this.#file("usage.bin")));
    } catch {
      return new Map();
    }
  }

  writeFiles(files: readonly CountedFile[]): void {
    this.#write("usage.bin", encode(files));
  }

  #file(name: string): string {
    return path.join(this.#dir, name);
  }

  #write(name: string, bytes: Buffer): void {
    try {
      ensurePrivateDir(this.#dir);
      writeFileAtomic(this.#file(name), bytes);
    } catch {
      /* A full or read-only disk costs the next report a scan, nothing else. */
    }
  }
}

/** Cells as rows of numbers, because their names, thousands of times, would be most of the file. */
interface CellsFile extends Names {
  version: number;
  stamp: string;
  files: KeptCells["files"];
  cells: number[][];
}

interface Names {
  models: string[];
  days: string[];
}

function valuesOf(cell: UsageCell, { models, days }: Names): number[] {
  return [
    days.indexOf(cell.day),
    cell.file,
    models.indexOf(cell.model),
    cell.isSidechain ? 1 : 0,
    ...numberNames.map((name) => cell[name]),
  ];
}

function cellOf(values: number[], { models, days }: Names): UsageCell {
  const [day, file, model, isSidechain, ...numbers] = values as [number, number, number, number, ...number[]];
  const cell = {
    day: days[day]!,
    file,
    model: models[model]!,
    isSidechain: isSidechain === 1,
    part: "",
  } as UsageCell;
  for (const [index, name] of numberNames.entries()) cell[name] = numbers[index]!;
  return cell;
}

const numberNames = [
  "messages",
  "inputTokens",
  "outputTokens",
  "cacheWrite5mTokens",
  "cacheWrite1hTokens",
  "cacheReadTokens",
  "placeholders",
  "costUsd",
  "unpriced",
] as const;

interface Header {
  version: number;
  files: (Omit<CountedFile, "rows"> & { count: number })[];
}

const ROW_BYTES = ROW_LENGTH * Float64Array.BYTES_PER_ELEMENT;

// A line of JSON that says what follows, filled up with spaces so that the numbers stand where a processor wants them.
function encode(files: readonly CountedFile[]): Buffer {
  const header: Header = {
    version: VERSION,
    files: files.map(({ rows, ...file }) => ({ ...file, count: rows.length / ROW_LENGTH })),
  };
  const json = Buffer.from(JSON.stringify(header));
  const padding = Buffer.alloc((8 - ((json.length + 1) % 8)) % 8, " ");
  return Buffer.concat([json, padding, Buffer.from("\n"), ...files.map(({ rows }) => bytesOf(rows))]);
}

function bytesOf(rows: Float64Array): Buffer {
  return Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
}

function decode(bytes: Buffer): Map<string, CountedFile> {
  const end = bytes.indexOf(10) + 1;
  const header = JSON.parse(bytes.toString("utf8", 0, end)) as Header;
  const files = new Map<string, CountedFile>();
  if (header.version !== VERSION || !Array.isArray(header.files)) return files;
  // A copy, because a buffer may begin anywhere and numbers may not.
  const rows = new Float64Array(
    bytes.buffer.slice(bytes.byteOffset + end, bytes.byteOffset + bytes.length) as ArrayBuffer,
  );
  let from = 0;
  for (const { count, ...file } of header.files) {
    if (!isJsonObject(file.coverage) || (from + count) * ROW_BYTES > rows.byteLength) return new Map();
    files.set(file.path, {
      ...file,
      rows: rows.subarray(from * ROW_LENGTH, (from + count) * ROW_LENGTH),
    });
    from += count;
  }
  return files;
}
