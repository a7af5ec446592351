import { Column, type LineUsage, ROW_LENGTH } from "./message-table.ts";
import {
  COUNT_ADDRESS,
  FIRST_ROW_ADDRESS,
  PLACES,
  PLACES_ADDRESS,
  ROWS_ADDRESS,
  ROWS_MAX,
  TABLE_END,
} from "./scan-layout.ts";

/**
 * Collects the messages of one file after the other, each once a file: of what several lines say of one, the largest counts hold
 * (docs/format.md), and their contents add up. They stand in memory that WebAssembly may share, where `addRow` does the same
 * as `add`.
 */
export class FileMessages {
  /** The names to the models' numbers in the rows. */
  readonly models: string[] = [];
  readonly #modelIndexes = new Map<string, number>();
  readonly #rows: Float64Array;
  // Open addressing: a place holds the number of a row, plus one. Rows of other files count as none.
  readonly #places: Int32Array;
  readonly #state: Int32Array;
  #full: Float64Array[] = [];

  constructor(memory: ArrayBuffer = new ArrayBuffer(TABLE_END)) {
    this.#rows = new Float64Array(memory, ROWS_ADDRESS, ROWS_MAX * ROW_LENGTH);
    this.#places = new Int32Array(memory, PLACES_ADDRESS, PLACES);
    this.#state = new Int32Array(memory, 0, ROWS_ADDRESS / 4);
  }

  get #count(): number {
    return this.#state[COUNT_ADDRESS / 4]!;
  }

  set #count(count: number) {
    this.#state[COUNT_ADDRESS / 4] = count;
  }

  /** How many rows there are. */
  get count(): number {
    return this.#full.length * ROWS_MAX + this.#count;
  }

  /** What is added from now on belongs to another file: a message that is in both gets a row in each. */
  beginFile(): void {
    this.#state[FIRST_ROW_ADDRESS / 4] = this.#count;
  }

  /** Makes room for a row. A message that goes on behind that gets another one, as if its file had been cut there. */
  makeRoom(): void {
    if (this.#count < ROWS_MAX) return;
    this.#full.push(this.#rows.slice());
    this.#forget();
  }

  modelIndex(model: string): number {
    let index = this.#modelIndexes.get(model);
    if (index === undefined) this.#modelIndexes.set(model, (index = this.models.push(model) - 1));
    return index;
  }

  /** Takes one more line of a message in. */
  add(line: LineUsage): void {
    this.makeRoom();
    const rows = this.#rows;
    const place = this.#placeOf(line.key);
    const known = this.#places[place]! - 1;
    if (known >= this.#state[FIRST_ROW_ADDRESS / 4]!) {
      const row = known * ROW_LENGTH;
      rows[row + Column.flags]! |= line.flags;
      raise(rows, row + Column.input, line.input);
      raise(rows, row + Column.output, line.output);
      raise(rows, row + Column.cacheWrite5m, line.cacheWrite5m);
      raise(rows, row + Column.cacheWrite1h, line.cacheWrite1h);
      raise(rows, row + Column.cacheRead, line.cacheRead);
      rows[row + Column.contentBytes]! += line.contentBytes;
      return;
    }
    const row = this.#count * ROW_LENGTH;
    this.#places[place] = ++this.#count;
    rows[row + Column.key] = line.key;
    rows[row + Column.at] = line.at;
    rows[row + Column.model] = this.modelIndex(line.model);
    rows[row + Column.flags] = line.flags;
    rows[row + Column.input] = line.input;
    rows[row + Column.output] = line.output;
    rows[row + Column.cacheWrite5m] = line.cacheWrite5m;
    rows[row + Column.cacheWrite1h] = line.cacheWrite1h;
    rows[row + Column.cacheRead] = line.cacheRead;
    rows[row + Column.contentBytes] = line.contentBytes;
  }

  /** The rows of all files so far, and begins anew. */
  take(): Float64Array<ArrayBuffer> {
    const rows = new Float64Array(this.count * ROW_LENGTH);
    this.#full.forEach((full, index) => rows.set(full, index * full.length));
    rows.set(this.#rows.subarray(0, this.#count * ROW_LENGTH), this.#full.length * this.#rows.length);
    this.#full = [];
    this.#forget();
    return rows;
  }

  #forget(): void {
    this.#places.fill(0);
    this.#count = 0;
    this.beginFile();
  }

  /** The place of a key, or the free one where it belongs. */
  #placeOf(key: number): number {
    const firstRow = this.#state[FIRST_ROW_ADDRESS / 4]!;
    for (let place = key & (PLACES - 1); ; place = (place + 1) & (PLACES - 1)) {
      const row = this.#places[place]! - 1;
      if (row < firstRow || this.#rows[row * ROW_LENGTH + Column.key] === key) return place;
    }
  }
}

function raise(rows: Float64Array, at: number, value: number): void {
  if (value > rows[at]!) rows[at] = value;
}
