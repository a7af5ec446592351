import fs from "node:fs";
import path from "node:path";
import { isJsonObject } from "../format/json-object.ts";
import { writeFileAtomic } from "../lib/atomic-write.ts";
import { ensurePrivateDir } from "../lib/private-dir.ts";
import { ROW_LENGTH } from "./message-table.ts";
import type { CountedFile } from "./read-messages.ts";
import type { UsageCell } from "./usage-cells.ts";

const VERSION = 1;

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
      const kept = JSON.parse(fs.readFileSync(this.#file("usage.json"), "utf8")) as KeptCells & {
        version: number;
      };
      return kept.version === VERSION && kept.stamp === stamp ? kept : undefined;
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
    this.#write("usage.json", Buffer.from(JSON.stringify({ version: VERSION, stamp, files: named, cells })));
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
