import fs from "node:fs";
import path from "node:path";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { codeOf } from "../../lib/errors.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { tempName } from "../../lib/temp-name.ts";
import { INDEX_VERSION, TABLES } from "./tables.ts";

/** Why the index cannot be used now. The answer then comes from the files: correct, but slower. */
export type IndexTrouble = "damaged" | "wrong" | "newer" | "unreadable" | "unwritable" | "busy";

export interface IndexOptions {
  /** Told once of each kind of trouble. */
  onTrouble?: ((trouble: IndexTrouble) => void) | undefined;
  /** How long a write waits for another process; by default as long as a person does not notice. */
  waitMs?: number | undefined;
}

/**
 * The one index: a SQLite file that holds everything that is derived. Any number of processes read and write it; a
 * transaction is there whole or not at all, also when its process is killed. Nothing here throws for the sake of the
 * index: what cannot be read is absent, and what cannot be written is derived again by whoever needs it next.
 */
export class DerivedIndex {
  readonly #dir: string;
  readonly #options: IndexOptions;
  readonly #statements = new Map<string, StatementSync>();
  readonly #told = new Set<IndexTrouble>();
  #database: DatabaseSync | undefined;
  /** Of the latest `reliably`. */
  #failure: IndexTrouble | undefined;
  /** Of the file that was opened. Another process may have made it anew since. */
  #inode: number | undefined;
  #isWriting = false;
  /** Absent until the first question; "none" when there is no index yet. */
  #state: "unopened" | "open" | "none" | "outdated" | IndexTrouble = "unopened";

  /** Opens nothing yet: a process that asks nothing does not pay for SQLite. */
  constructor(indexDir: string, options: IndexOptions = {}) {
    this.#dir = indexDir;
    this.#options = options;
  }

  /** The same tables in memory, empty, for those who cannot use the file. */
  static inMemory(): DerivedIndex {
    const index = new DerivedIndex("");
    index.#database = openDatabase(":memory:");
    index.#database.exec(TABLES);
    index.#state = "open";
    return index;
  }

  /** The rows of a query as lists, which takes half the time of objects. None when the index cannot be read. */
  rows(sql: string, ...values: SQLInputValue[]): unknown[][] {
    if (!this.#openToRead()) return [];
    try {
      return this.#prepare(sql).all(...values) as unknown as unknown[][];
    } catch (error) {
      // A write whose question failed must not go on.
      if (this.#isWriting) throw error;
      this.#fail(error, "unreadable");
      return [];
    }
  }

  /** The first row of a query, as a list. */
  row(sql: string, ...values: SQLInputValue[]): unknown[] | undefined {
    return this.rows(sql, ...values)[0];
  }

  /**
   * What `work` makes of the answers, or undefined when one of its questions or writes failed: then what it found may not
   * be all there is. After damage it is done once more, so that its writes make the index anew.
   */
  reliably<Result>(work: () => Result): { result: Result } | undefined {
    for (const mayRepeat of [true, false]) {
      this.#failure = undefined;
      try {
        const result = work();
        if (!this.#failure) return { result };
      } catch (error) {
        if (!this.#failure) throw error;
      }
      if (this.#failure !== "damaged" || !mayRepeat) break;
    }
    return undefined;
  }

  /** All that is asked until the end of `work` is asked of one moment, whatever others write meanwhile. */
  atOneMoment<Result>(work: () => Result): Result {
    if (this.#openToRead()) this.#attempt("BEGIN");
    try {
      return work();
    } finally {
      this.#attempt("COMMIT");
    }
  }

  /**
   * Does all of `work` or nothing, and makes the index first if there is none that can be used. False when nothing was
   * kept: the disk is full or read-only, or another process has been writing for too long.
   */
  write(work: () => void): boolean {
    try {
      if (!this.#openToWrite()) {
        this.#failure ??= "unwritable";
        return false;
      }
      this.#database!.exec("BEGIN IMMEDIATE");
    } catch (error) {
      this.#fail(error, "unwritable");
      return false;
    }
    this.#isWriting = true;
    try {
      work();
      this.#database!.exec("COMMIT");
      return true;
    } catch (error) {
      this.#attempt("ROLLBACK");
      if (!isSqliteError(error)) throw error;
      this.#fail(error, "unwritable");
      return false;
    } finally {
      this.#isWriting = false;
    }
  }

  /** One statement of a write; the id of the row that it inserted. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  /** For who finds that a row makes no sense: the index is damaged. */
  reject(): void {
    this.#openToRead();
    this.#failure = "damaged";
    this.#state = this.#say("damaged");
  }

  /** For who finds one part damaged, and makes only that anew. */
  rejectPart(makeAnew: () => void): void {
    this.#say("damaged");
    this.write(makeAnew);
  }

  /** Bytes of the index on the disk. */
  get bytes(): number {
    const sizeOf = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    return sizeOf(this.#file) + sizeOf(`${this.#file}-wal`);
  }

  close(): void {
    this.#disconnect();
    try {
      // Whoever only asks writes nothing, and would find the damage again each time.
      if (this.#state === "damaged") this.#takeAway();
    } catch {
      /* A read-only home keeps it. */
    }
    this.#state = "unopened";
  }

  get #file(): string {
    return path.join(this.#dir, "index.db");
  }

  #openToRead(): boolean {
    if (this.#state === "unopened") {
      try {
        this.#inode = inodeOf(this.#file);
        if (this.#inode === undefined) this.#state = "none";
        // To open a pipe may take forever.
        else if (!fs.statSync(this.#file).isFile()) this.#failure = this.#state = this.#say("unreadable");
        else this.#state = this.#connect();
      } catch (error) {
        this.#fail(error, "unreadable");
      }
    }
    return this.#state === "open";
  }

  #openToWrite(): boolean {
    this.#openToRead();
    if (this.#state === "damaged" || this.#state === "outdated") this.#takeAway();
    if (this.#state === "none") this.#state = this.#make();
    return this.#state === "open";
  }

  #connect(): "open" | "none" | "outdated" | IndexTrouble {
    this.#database = openDatabase(this.#file, this.#options.waitMs);
    const version = versionOf(this.#database);
    if (version === INDEX_VERSION) return "open";
    this.#disconnect();
    // Nobody has made its tables yet, or somebody does at this moment.
    if (version === 0) return "none";
    return version > INDEX_VERSION ? this.#say("newer") : "outdated";
  }

  #make(): "open" | "none" | "outdated" | IndexTrouble {
    ensurePrivateDir(this.#dir);
    const database = openDatabase(this.#file, this.#options.waitMs);
    try {
      fs.chmodSync(this.#file, 0o600);
      database.exec("PRAGMA journal_mode = WAL; BEGIN IMMEDIATE");
      if (versionOf(database) === 0) {
        database.exec(`${TABLES} PRAGMA user_version = ${INDEX_VERSION}`);
        removeOlderStores(this.#dir);
      }
      database.exec("COMMIT");
    } finally {
      database.close();
    }
    return this.#connect();
  }

  // The whole folder at once: a database that lost its log, or got another's, would be damaged again.
  #takeAway(): void {
    this.#disconnect();
    this.#state = "none";
    if (inodeOf(this.#file) !== this.#inode) return;
    const away = tempName(this.#dir);
    fs.renameSync(this.#dir, away);
    fs.rmSync(away, { recursive: true, force: true });
  }

  #disconnect(): void {
    this.#statements.clear();
    const database = this.#database;
    this.#database = undefined;
    try {
      database?.close();
    } catch {
      /* A damaged file may not even be closed in order. */
    }
  }

  #fail(error: unknown, otherwise: IndexTrouble): void {
    if (codeOf(error) === undefined) throw error;
    const trouble = troubleOf(error) ?? otherwise;
    this.#say(trouble);
    if (this.#failure !== "damaged") this.#failure = trouble;
    // A write that did not succeed says nothing against reading.
    if (trouble === "damaged" || trouble === "unreadable") {
      this.#disconnect();
      this.#state = trouble;
    }
  }

  #say(trouble: IndexTrouble): IndexTrouble {
    if (!this.#told.has(trouble)) this.#options.onTrouble?.(trouble);
    this.#told.add(trouble);
    return trouble;
  }

  #attempt(sql: string): void {
    try {
      this.#database?.exec(sql);
    } catch {
      /* There is no transaction, or SQLite has ended it. */
    }
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database!.prepare(sql);
      statement.setReturnArrays(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** What other processes take for one transaction, and a little more. */
const WAIT_MS = 1000;

function openDatabase(file: string, waitMs = WAIT_MS): DatabaseSync {
  const sqlite = process.getBuiltinModule("node:sqlite");
  const open = (readOnly: boolean): DatabaseSync => {
    const database = new sqlite.DatabaseSync(file, { timeout: waitMs, readOnly });
    try {
      database.exec("PRAGMA synchronous = NORMAL");
      versionOf(database);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  };
  try {
    return open(false);
  } catch (error) {
    if (troubleOf(error) === "damaged" || !fs.existsSync(file)) throw error;
    return open(true);
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()!["user_version"]);
}

/** The stores that this index replaced (0.1.0 and before). */
const OLDER_STORES = ["offsets", "sessions.json", "usage.bin", "usage-sums.bin", "health.json"];
const OLDER_DATABASE = ["search.db", "search.db-wal", "search.db-shm"];

function removeOlderStores(dir: string): void {
  for (const name of [...OLDER_STORES, ...OLDER_DATABASE])
    fs.rmSync(path.join(dir, name), { recursive: true, force: true });
}

function inodeOf(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.ino;
}

function isSqliteError(error: unknown): error is Error & { errcode?: number } {
  return codeOf(error) === "ERR_SQLITE_ERROR" || isTooLarge(error);
}

/** A column holds an integer that we never wrote. */
function isTooLarge(error: unknown): boolean {
  return codeOf(error) === "ERR_OUT_OF_RANGE" && /JavaScript number/.test((error as Error).message);
}

// SQLITE_CORRUPT and SQLITE_NOTADB; and tables that are not those that the version says.
const DAMAGES: ReadonlySet<number> = new Set([11, 26]);
// SQLITE_BUSY and SQLITE_LOCKED.
const BUSY: ReadonlySet<number> = new Set([5, 6]);

function troubleOf(error: unknown): IndexTrouble | undefined {
  if (!isSqliteError(error)) return undefined;
  // The low byte is the kind; the rest says more of it.
  const kind = (error.errcode ?? 0) & 0xff;
  const isOther = /^no such (table|column)|already exists$|^unsupported file format/.test(error.message);
  if (DAMAGES.has(kind) || isOther || isTooLarge(error)) return "damaged";
  return BUSY.has(kind) ? "busy" : undefined;
}
