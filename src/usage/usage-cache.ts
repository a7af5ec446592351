import fs from "node:fs";
import { isJsonObject } from "../format/json-object.ts";
import { joinContent, messagesFile, splitContent, writeCacheFile } from "./cache-file.ts";
import { ROW_LENGTH } from "./message-table.ts";
import type { CountedFile } from "./read-messages.ts";

const VERSION = 3;

/** The messages of each transcript, in a file of the index folder. A cache: whoever writes last wins, losing it costs a scan. */
export class UsageCache {
  readonly #file: string;

  constructor(indexDir: string) {
    this.#file = messagesFile(indexDir);
  }

  read(): Map<string, CountedFile> {
    try {
      return decode(fs.readFileSync(this.#file));
    } catch {
      return new Map();
    }
  }

  write(files: readonly CountedFile[]): void {
    writeCacheFile(this.#file, encode(files));
  }
}

interface Header {
  version: number;
  files: (Omit<CountedFile, "rows"> & { count: number })[];
}

function encode(files: readonly CountedFile[]): Buffer {
  const header: Header = {
    version: VERSION,
    files: files.map(({ rows, ...file }) => ({ ...file, count: rows.length / ROW_LENGTH })),
  };
  return joinContent(header, { numbers: files.map(({ rows }) => rows) });
}

function decode(bytes: Buffer): Map<string, CountedFile> {
  const { header, numbers: rows } = splitContent<Header>(bytes);
  const files = new Map<string, CountedFile>();
  if (header.version !== VERSION || !Array.isArray(header.files)) return files;
  let from = 0;
  for (const { count, ...file } of header.files) {
    if (!isJsonObject(file.coverage) || (from + count) * ROW_LENGTH > rows.length) return new Map();
    files.set(file.path, {
      ...file,
      rows: rows.subarray(from * ROW_LENGTH, (from + count) * ROW_LENGTH),
    });
    from += count;
  }
  return files;
}
