import fs from "node:fs";
import type { SQLInputValue } from "node:sqlite";
import { compareCoverage, type FileCoverage } from "./file-coverage.ts";
import { openIfThere } from "../read/open-if-there.ts";
import type { DerivedIndex } from "./derived-index.ts";
import { checksum } from "./sealed-text.ts";

/** What is kept apart in the index, because each is derived when it is asked for. */
export type IndexPart = "listing" | "usage" | "health" | "words";

/** A file as its folder shows it now. */
export interface LookedAtFile {
  path: string;
  bytes: number;
  mtimeMs: number;
  inode: number;
}

/** The state of a file that a part was derived from, as far as a look at its folder can tell. */
export interface CoveredFile {
  id: number;
  inode: number;
  size: number;
  mtimeMs: number;
}

/**
 * The one rule for "is it current": what was derived from a file holds while the file has the size, time and number that it
 * had then. A file that only grew, which its head and the bytes before the covered end prove, is gone on with.
 */
export type FileState = "current" | "grown" | "changed" | "gone";

export function isCurrent(known: Omit<CoveredFile, "id">, { inode, bytes, mtimeMs }: LookedAtFile): boolean {
  return known.inode === inode && known.size === bytes && known.mtimeMs === mtimeMs;
}

/** A number of 32 bits for a file in one state. Each step is reversible, so one value that changes always shows. */
function stampOf({ path, bytes, mtimeMs, inode }: LookedAtFile): number {
  let stamp = checksum(path, 0, path.length);
  stamp = mix(mix(stamp, inode), inode / 2 ** 32);
  // Times have parts of milliseconds: the low bits, and those above them.
  stamp = mix(mix(stamp, mtimeMs * 4096), mtimeMs / 2 ** 20);
  return mix(stamp, bytes) >>> 0;
}

function mix(stamp: number, value: number): number {
  const product = Math.imul(stamp ^ value, 0x85ebca6b);
  return product ^ (product >>> 13);
}

/** The files that one part of the index was derived from. */
export class CoveredFiles {
  readonly #index: DerivedIndex;
  readonly #part: IndexPart;

  constructor(index: DerivedIndex, part: IndexPart) {
    this.#index = index;
    this.#part = part;
  }

  /** All of them, by path. */
  list(): Map<string, CoveredFile> {
    return byPath(this.#index.rows(`SELECT ${STATE}, path FROM files WHERE part = ?`, this.#part));
  }

  /** Those below a folder, by path. Whoever looks at thousands asks for one folder after the other: that needs no memory. */
  below(dir: string): Map<string, CoveredFile> {
    const sql = `SELECT ${STATE}, path FROM files WHERE part = ? AND ${BELOW}`;
    return byPath(this.#index.rows(sql, this.#part, ...boundsOf(dir)));
  }

  /**
   * Whether these are all that is covered below a folder, each as it was: their number and sums tell, without a look at each
   * row. Whoever then goes from a row to a path compares that file by itself, because rows may have been exchanged.
   */
  areAsCovered(dir: string, files: readonly LookedAtFile[]): boolean {
    const sql = `SELECT count(*), total(size), total(stamp) FROM files WHERE part = ? AND ${BELOW}`;
    const [count, size, stamp] = this.#index.row(sql, this.#part, ...boundsOf(dir)) ?? [];
    if (count !== files.length) return false;
    let [sizes, stamps] = [0, 0];
    for (const file of files) {
      sizes += file.bytes;
      stamps += stampOf(file);
    }
    return size === sizes && stamp === stamps;
  }

  idsBelow(dir: string): number[] {
    const sql = `SELECT id FROM files WHERE part = ? AND ${BELOW}`;
    return this.#index.rows(sql, this.#part, ...boundsOf(dir)).map(([id]) => id as number);
  }

  /** By id. */
  pathsOf(ids: readonly number[]): Map<number, string> {
    const sql = "SELECT id, path FROM files WHERE part = ? AND id IN (SELECT value FROM json_each(?))";
    const rows = this.#index.rows(sql, this.#part, JSON.stringify(ids));
    return new Map(rows as [number, string][]);
  }

  count(): number {
    return (this.#index.row("SELECT count(*) FROM files WHERE part = ?", this.#part)?.[0] ?? 0) as number;
  }

  /** The ids of all others. Mostly there are none, which their number tells. */
  othersThan(ids: ReadonlySet<number>): number[] {
    if (ids.size === this.count()) return [];
    return [...this.list().values()].map(({ id }) => id).filter((id) => !ids.has(id));
  }

  find(path: string): CoveredFile | undefined {
    const row = this.#index.row(`SELECT ${STATE} FROM files WHERE part = ? AND path = ?`, this.#part, path);
    return row && coveredFile(row);
  }

  /** How a file is related to what was derived from it. It is opened only when a look does not settle that. */
  stateOf(file: LookedAtFile, known: CoveredFile): FileState {
    if (isCurrent(known, file)) return "current";
    const fd = openIfThere(file.path);
    if (fd === undefined) return "gone";
    try {
      const coverage = this.coverageOf(known.id);
      return coverage ? compareCoverage(fd, coverage) : "changed";
    } finally {
      fs.closeSync(fd);
    }
  }

  coverageOf(id: number): FileCoverage | undefined {
    const row = this.#index.row(
      "SELECT inode, size, mtime, covered, head, tail FROM files WHERE id = ?",
      id,
    ) as [number, number, number, number, string, string] | undefined;
    if (!row) return undefined;
    const [inode, size, mtimeMs, to, head, tail] = row;
    return { inode, size, mtimeMs, to, head, tail };
  }

  dataOf(id: number): unknown {
    return this.#index.row("SELECT data FROM file_data WHERE file = ?", id)?.[0];
  }

  /** In a write: notes the state that the part now describes; the file's id. */
  cover(path: string, { inode, size, mtimeMs, to, head, tail }: FileCoverage): number {
    const id = this.#index.row("SELECT id FROM files WHERE part = ? AND path = ?", this.#part, path)?.[0];
    const stamp = stampOf({ path, inode, bytes: size, mtimeMs });
    const state = [inode, size, mtimeMs, stamp, to, head, tail];
    if (id === undefined) return this.#add(path, state);
    const sql =
      "UPDATE files SET inode = ?, size = ?, mtime = ?, stamp = ?, covered = ?, head = ?, tail = ? WHERE id = ?";
    this.#index.run(sql, ...state, id as number);
    return id as number;
  }

  // Not with RETURNING: SQLite would write out all words that wait in memory first, each time.
  #add(path: string, state: SQLInputValue[]): number {
    const id = this.#index.row("SELECT ifnull(max(id), 0) + 1 FROM files")![0] as number;
    this.#index.run(INSERT, id, this.#part, path, ...state);
    return id;
  }

  /** In a write: keeps what was derived from a file. */
  keep(id: number, data: SQLInputValue): void {
    this.#index.run("INSERT OR REPLACE INTO file_data (file, data) VALUES (?, ?)", id, data);
  }

  /** In a write: forgets a file, and what was kept of it. */
  forget(id: number): void {
    this.#index.run("DELETE FROM file_data WHERE file = ?", id);
    this.#index.run("DELETE FROM files WHERE id = ?", id);
  }
}

const STATE = "id, inode, size, mtime";
const INSERT = `INSERT INTO files (id, part, path, inode, size, mtime, stamp, covered, head, tail)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** The condition for files below a folder, and its two values: a slash and the character that follows it. */
export const BELOW = "path > ? AND path < ?";

export function boundsOf(dir: string): [from: string, to: string] {
  return [`${dir}/`, `${dir}0`];
}

function byPath(rows: unknown[][]): Map<string, CoveredFile> {
  const known = new Map<string, CoveredFile>();
  for (const row of rows) known.set(row[4] as string, coveredFile(row));
  return known;
}

function coveredFile(row: unknown[]): CoveredFile {
  // By their places: to take a list apart costs several times as much, twenty thousand times.
  const numbers = row as number[];
  return { id: numbers[0]!, inode: numbers[1]!, size: numbers[2]!, mtimeMs: numbers[3]! };
}
