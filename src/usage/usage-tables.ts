import type { DerivedIndex } from "../store/index/derived-index.ts";
import { textSum } from "../store/index/text-sum.ts";
import type { MessageUsage } from "../store/line/message-usage.ts";
import { cellNumbers, noNumbers, type UsageCell } from "./usage-cells.ts";

/** What the cells were made with. */
export interface CellState {
  prices: unknown;
  /** A number that is another after each write, so that nobody writes over what it has not seen. */
  lastWrite: unknown;
}

/** A cell of all files together, or of the file at a path. */
export type KeptCell = UsageCell & { path: unknown };

/** The tables of the index that hold usage (store/index/tables.ts). Files are given by their ids. */
export class UsageTables {
  readonly #index: DerivedIndex;
  /** In a write: what keys and cells sum up to, kept in step with each change. To add all up again would take longer. */
  #sum = 0;

  constructor(index: DerivedIndex) {
    this.#index = index;
  }

  readState(): CellState {
    const [prices, lastWrite] = this.#index.row("SELECT prices, lastWrite FROM usage_state") ?? [];
    return { prices, lastWrite };
  }

  /** Begins to change what is kept; the mark of the latest write. */
  begin(): unknown {
    const [lastWrite, checksum = 0] = this.#index.row("SELECT lastWrite, checksum FROM usage_state") ?? [];
    this.#sum = checksum as number;
    return lastWrite;
  }

  /** Marks a write, and returns its mark. */
  writeState(prices: string): unknown {
    const lastWrite = Math.random();
    this.#index.run(WRITE_STATE, prices, lastWrite, this.#sum);
    return lastWrite;
  }

  /** Undefined when keys and cells are not those that were written. */
  readCells({ ofFiles }: { ofFiles: boolean }): KeptCell[] | undefined {
    const rows = this.#index.rows(ofFiles ? CELLS_OF_FILES : CELLS);
    return this.#index.row(CELLS_CHECKSUM)?.[0] === sumOf(rows) ? rows.map(keptCell) : undefined;
  }

  /** `ids` are those of the files, by path. */
  addCells(cells: readonly UsageCell[], ids: ReadonlyMap<string, number>): void {
    for (const cell of cells) {
      const { day, model, isSidechain, transcript } = cell;
      const numbers = cellNumbers.map((name) => cell[name]);
      const file = ids.get(transcript!.path)!;
      this.#sum += sumOf(this.#index.rows(INSERT_CELL, day, model, isSidechain ? 1 : 0, file, ...numbers));
    }
  }

  removeCells(files: readonly number[]): void {
    this.#sum -= sumOf(this.#index.rows(DELETE_CELLS, JSON.stringify(files)));
  }

  addKeys(file: number, messages: readonly MessageUsage[]): void {
    const sql = "INSERT OR IGNORE INTO usage_keys (file, key) VALUES (?, ?) RETURNING 1";
    for (const { key } of messages) this.#sum += sumOf(this.#index.rows(sql, file, key));
  }

  forgetKeys(file: number): void {
    this.#sum -= sumOf(this.#index.rows("DELETE FROM usage_keys WHERE file = ? RETURNING 1", file));
  }

  clear(): void {
    this.#index.run("DELETE FROM usage_cells");
    this.#index.run("DELETE FROM usage_keys");
    this.#sum = 0;
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

/** Of what rows say in their last columns. */
function sumOf(rows: readonly unknown[][]): number {
  return rows.reduce((sum, row) => sum + (row[row.length - 1] as number), 0);
}

// The sum over all cells, and over all keys, each 1, changes when rows are missing, added, or given to other files by accident.
// It is of whole numbers, so that it is the same in any order, and these are small enough to be added up. What holds for a
// day and model is reckoned once for all of their cells.
const numbers = cellNumbers.map((name) => (name === "costUsd" ? `1000000 * ${name}` : name));
const OF_NUMBERS = `CAST(file * (${numbers.join(" + ")}) AS INTEGER) % 16777213`;
const OF_DAY_AND_MODEL = `CAST(coalesce(julianday(day), 0) + ${textSum("model")} AS INTEGER) % 10007`;
const CHECKSUM = `${OF_NUMBERS} + ${OF_DAY_AND_MODEL} * (messages + outputTokens)`;
const GROUP_CHECKSUM = `total(${OF_NUMBERS}) + ${OF_DAY_AND_MODEL} * (total(messages) + total(outputTokens))`;
const CELLS_CHECKSUM = "SELECT checksum - (SELECT count(*) FROM usage_keys) FROM usage_state";
const WRITE_STATE =
  "INSERT OR REPLACE INTO usage_state (id, prices, lastWrite, checksum) VALUES (1, ?, ?, ?)";
const CELLS_OF_FILES = `SELECT day, model, sidechain, path, ${cellNumbers.join()}, ${CHECKSUM}
  FROM usage_cells LEFT JOIN files ON files.id = usage_cells.file`;
const CELLS = `SELECT day, model, NULL, NULL, ${cellNumbers.map((name) => `total(${name})`).join()}, ${GROUP_CHECKSUM}
  FROM usage_cells GROUP BY day, model`;
const INSERT_CELL = `INSERT INTO usage_cells (day, model, sidechain, file, ${cellNumbers.join()})
  VALUES (?, ?, ?, ?, ${cellNumbers.map(() => "?").join()}) RETURNING ${CHECKSUM}`;
const DELETE_CELLS = `DELETE FROM usage_cells WHERE file IN (SELECT value FROM json_each(?)) RETURNING ${CHECKSUM}`;
const RELATIVES = `
  WITH RECURSIVE relatives (file) AS (
    SELECT value FROM json_each(?)
    UNION SELECT copy.file FROM relatives
      JOIN usage_keys AS own ON own.file = relatives.file JOIN usage_keys AS copy ON copy.key = own.key
  )
  SELECT id, path FROM relatives JOIN files ON files.id = relatives.file`;
