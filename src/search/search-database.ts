import fs from "node:fs";
import path from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { indexBusyMs } from "../format/limits.ts";
import { ensurePrivateDir } from "../lib/private-dir.ts";
import type { FileCoverage, Fingerprints } from "../store/file-coverage.ts";
import type { PreparedDocument } from "./prepare-documents.ts";

/** A transcript that the index knows, as far as it is covered; its fingerprints are read when they are asked for. */
export interface IndexedFile extends Omit<FileCoverage, keyof Fingerprints> {
  id: number;
  path: string;
}

// Another number makes every older index be built anew.
const VERSION = 1;

/**
 * The index: one SQLite file that holds words and where they stand, never the texts. Any number of processes read while
 * one writes. What is written is there whole or not at all, also when the process is killed.
 */
export class SearchDatabase {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Opens the index to read, as it is at this moment: what others write meanwhile is not seen. Undefined when there is
   * none, or none that this version can read.
   */
  static openToRead(indexDir: string): SearchDatabase | undefined {
    const file = databaseFile(indexDir);
    if (!fs.existsSync(file)) return undefined;
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(file, { readOnly: true, timeout: indexBusyMs });
      database.exec("BEGIN");
      if (versionOf(database) === VERSION) return new SearchDatabase(database);
    } catch {
      /* Damaged, or being made at this moment: as good as none. */
    }
    database?.close();
    return undefined;
  }

  /** Opens the index to write, made anew if there is none that can be used. The caller holds the lease. */
  static openToWrite(indexDir: string): SearchDatabase {
    ensurePrivateDir(indexDir);
    const file = databaseFile(indexDir);
    try {
      return SearchDatabase.#openOrMake(file);
    } catch (error) {
      if (!isUnusable(error)) throw error;
      SearchDatabase.remove(indexDir);
      return SearchDatabase.#openOrMake(file);
    }
  }

  static #openOrMake(file: string): SearchDatabase {
    const database = new DatabaseSync(file, { timeout: indexBusyMs });
    try {
      fs.chmodSync(file, 0o600);
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536");
      const version = versionOf(database);
      if (version === 0) make(database);
      else if (version !== VERSION) throw new OtherVersion();
      return new SearchDatabase(database);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Takes the index away; it is built anew when it is next asked for. */
  static remove(indexDir: string): void {
    for (const suffix of ["", "-wal", "-shm"])
      fs.rmSync(`${databaseFile(indexDir)}${suffix}`, { force: true });
  }

  listFiles(): IndexedFile[] {
    const rows = this.rows("SELECT id, path, inode, covered, size, mtime FROM files") as FileRow[];
    return rows.map(([id, file, inode, to, size, mtimeMs]) => ({ id, path: file, inode, to, size, mtimeMs }));
  }

  getFingerprints(id: number): Fingerprints {
    const { head, tail } = this.#prepare("SELECT head, tail FROM files WHERE id = ?").get(id)!;
    return { head: String(head), tail: String(tail) };
  }

  count(): { files: number; documents: number } {
    const { files, documents } = this.#prepare(
      "SELECT (SELECT count(*) FROM files) AS files, (SELECT count(*) FROM documents) AS documents",
    ).get()!;
    return { files: Number(files), documents: Number(documents) };
  }

  /** Does all of `work` or nothing. */
  transaction(work: () => void): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  /** The id under which a transcript's documents are kept; new ones are covered up to nothing. */
  fileId(file: string): number {
    const known = this.#prepare("SELECT id FROM files WHERE path = ?").get(file);
    if (known) return Number(known["id"]);
    const added = this.#prepare(
      "INSERT INTO files (path, inode, covered, size, mtime, head, tail) VALUES (?, 0, 0, 0, 0, '', '')",
    ).run(file);
    return Number(added.lastInsertRowid);
  }

  cover(id: number, { inode, to, size, mtimeMs, head, tail }: FileCoverage): void {
    this.#prepare(
      "UPDATE files SET inode = ?, covered = ?, size = ?, mtime = ?, head = ?, tail = ? WHERE id = ?",
    ).run(inode, to, size, mtimeMs, head, tail, id);
  }

  addDocument(file: number, document: PreparedDocument): void {
    const { offset, length, at, role, type, tools, parts, whole } = document;
    const { lastInsertRowid } = this.#prepare(
      "INSERT INTO documents (file, offset, length, at, role, type, tools) VALUES (?, ?, ?, ?, ?, ?, ?)",
    ).run(file, offset, length, at, role, type, tools);
    this.#prepare("INSERT INTO words (rowid, parts, whole) VALUES (?, ?, ?)").run(
      lastInsertRowid,
      parts,
      whole,
    );
  }

  /** Forgets the documents of a transcript, and with `file`, the transcript. */
  forget(id: number, { file }: { file: boolean }): void {
    // One by one, because a virtual table would be walked from end to end for a list of them.
    const forgetWords = this.#prepare("DELETE FROM words WHERE rowid = ?");
    for (const row of this.#prepare("SELECT id FROM documents WHERE file = ?").all(id))
      forgetWords.run(Number(row["id"]));
    this.#prepare("DELETE FROM documents WHERE file = ?").run(id);
    if (file) this.#prepare("DELETE FROM files WHERE id = ?").run(id);
  }

  /** The rows of a query, as lists: every search reads thousands, and with names they would take it twice as long. */
  rows(sql: string, ...values: (string | number)[]): unknown[][] {
    const statement = this.#prepare(sql);
    statement.setReturnArrays(true);
    return statement.all(...values) as unknown as unknown[][];
  }

  close(): void {
    this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }
}

type FileRow = [number, string, number, number, number, number];

class OtherVersion extends Error {}

// SQLITE_CORRUPT and SQLITE_NOTADB. Anything else (a full disk, no permission) is not the fault of the file.
const DAMAGES: ReadonlySet<unknown> = new Set([11, 26]);

function isUnusable(error: unknown): boolean {
  return error instanceof OtherVersion || DAMAGES.has((error as { errcode?: unknown }).errcode);
}

function databaseFile(indexDir: string): string {
  return path.join(indexDir, "search.db");
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()!["user_version"]);
}

function make(database: DatabaseSync): void {
  database.exec(`
    BEGIN IMMEDIATE;
    CREATE TABLE files (
      id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, inode INTEGER NOT NULL, covered INTEGER NOT NULL,
      size INTEGER NOT NULL, mtime REAL NOT NULL, head TEXT NOT NULL, tail TEXT NOT NULL
    );
    CREATE TABLE documents (
      id INTEGER PRIMARY KEY, file INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL,
      at INTEGER, role TEXT NOT NULL, type TEXT NOT NULL, tools TEXT NOT NULL
    );
    CREATE INDEX documents_by_file ON documents (file);
    CREATE VIRTUAL TABLE words USING fts5 (parts, whole, content = '', contentless_delete = 1, tokenize = 'ascii');
    PRAGMA user_version = ${VERSION};
    COMMIT;
  `);
}
