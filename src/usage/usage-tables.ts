import type { DerivedIndex } from "../store/index/derived-index.ts";
import { textSum } from "../store/index/text-sum.ts";
import type { MessageUsage } from "../store/line/message-usage.ts";
import { cellNumbers, noNumbers, type UsageCell } from "./usage-cells.ts";

/** What the cells were made with. */
export interface CellState {
  prices: unknown;
  /** A number that is another after each write, so that nobody writes over what it has not seen. */
  lastWrite: unknown;
  /** Whether keys and cells are those that were written. */
  isWhole: boolean;
}

/** A cell of all files together, or of the file at a path. */
export type KeptCell = UsageCell & { path: unknown };

/** The tables of the index that hold usage (store/index/tables.ts). Files are given by their ids. */
export class UsageTables {
  readonly #index: DerivedIndex;

  constructor(index: DerivedIndex) {
    this.#index = index;
  }

  readState(): CellState {
    const [prices, lastWrite, isWhole] = this.#index.row(STATE) ?? [];
    return { prices, lastWrite, isWhole: isWhole === 1 };
  }

  readLastWrite(): unknown {
    return this.#index.row("SELECT lastWrite FROM usage_state")?.[0];
  }

  /** Marks a write, and returns its mark. */
  writeState(prices: string): unknown {
    const lastWrite = Math.random();
    this.#index.run(WRITE_STATE, prices, lastWrite);
    return lastWrite;
  }

  readCells({ ofFiles }: { ofFiles: boolean }): KeptCell[] {
    return this.#index.rows(ofFiles ? CELLS_OF_FILES : CELLS).map(keptCell);
  }

  /** `ids` are those of the files, by path. */
  addCells(cells: readonly UsageCell[], ids: ReadonlyMap<string, number>): void {
    for (const cell of cells) {
      const { day, model, isSidechain, transcript } = cell;
      const numbers = cellNumbers.map((name) => cell[name]);
      this.#index.run(INSERT_CELL, day, model, isSidechain ? 1 : 0, ids.get(transcript!.path)!, ...numbers);
    }
  }

  removeCells(files: readonly number[]): void {
    const sql = "DELETE FROM usage_cells WHERE file IN (SELECT value FROM json_each(?))";
    this.#index.run(sql, JSON.stringify(files));
  }

  addKeys(file: number, messages: readonly MessageUsage[]): void {
    for (const { key } of messages)
      this.#index.run("INSERT OR IGNORE INTO usage_keys (file, key) VALUES (?, ?)", file, key);
  }

  forgetKeys(file: number): void {
    this.#index.run("DELETE FROM usage_keys WHERE file = ?", file);
  }

  clear(): void {
    this.#index.run("DELETE FROM usage_cells");
    this.#index.run("DELETE FROM usage_keys");
  }

  /** The paths of files that share messages with these, and so on. */
  relativesOf(files: readonly number[]): Set<string> {
    const known = new Set<unknown>(files);
    const rows = this.#index.rows(RELATIVES, JSON.stringify(files));
    return new Set(rows.filter(([id]) => !known.has(id)).map(([, path]) => path as string));
  }
}

function keptCell(row: unknown[]): KeptCell {
  const [day, model] = [row[0] as string, row[1] as string];
  const cell = { day, model, isSidechain: row[2] === 1, path: row[3], ...noNumbers };
  cellNumbers.forEach((name, at) => void (cell[name] = row[at + 4] as number));
  return cell;
}

// Changes when rows are missing, added, or given to other files by accident.
const CHECKSUM = `(SELECT count(*) FROM usage_keys) +
  (SELECT total((file + coalesce(julianday(day), 0)) * (${cellNumbers.join(" + ")}) + file * (${textSum("model")}))
    FROM usage_cells)`;
const STATE = `SELECT prices, lastWrite, checksum = ${CHECKSUM} FROM usage_state`;
const WRITE_STATE = `INSERT OR REPLACE INTO usage_state (id, prices, lastWrite, checksum)
  VALUES (1, ?, ?, ${CHECKSUM})`;
const CELLS_OF_FILES = `SELECT day, model, sidechain, path, ${cellNumbers.join()}
  FROM usage_cells LEFT JOIN files ON files.id = usage_cells.file`;
const CELLS = `SELECT day, model, NULL, NULL, ${cellNumbers.map((name) => `total(${name})`).join()}
  FROM usage_cells GROUP BY day, model`;
const INSERT_CELL = `INSERT INTO usage_cells (day, model, sidechain, file, ${cellNumbers.join()})
  VALUES (?, ?, ?, ?, ${cellNumbers.map(() => "?").join()})`;
const RELATIVES = `
  WITH RECURSIVE relatives (file) AS (
    SELECT value FROM json_each(?)
    UNION SELECT copy.file FROM relatives
      JOIN usage_keys AS own ON own.file = relatives.file JOIN usage_keys AS copy ON copy.key = own.key
  )
  SELECT id, path FROM relatives JOIN files ON files.id = relatives.file`;
