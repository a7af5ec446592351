/**
 * The usage of API messages in rows of numbers: eighty bytes a message, so a million of them fit into memory, into
 * a file, and from one thread to another without being copied.
 */
export const Column = {
  /** 53-bit hash of message id and request id: what is the same message in two files has the same. */
  key: 0,
  /** Milliseconds since 1970; NaN where no line of it says when. */
  at: 1,
  model: 2,
  flags: 3,
  input: 4,
  output: 5,
  cacheWrite5m: 6,
  cacheWrite1h: 7,
  cacheRead: 8,
  /** How much it says: bytes of its content. */
  contentBytes: 9,
} as const;

export const MessageFlag = {
  /** A line of it carries the reason why it stopped: its counts are final. */
  stopped: 1,
  sidechain: 2,
} as const;

export const ROW_LENGTH = 10;

/** What the hash of a request id is multiplied with, before it is put over that of the message id. */
export const KEY_PRIME = 0x9e3779b1;

/** The usage of one line that belongs to a message. */
export interface LineUsage {
  key: number;
  at: number;
  model: string;
  flags: number;
  input: number;
  output: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
  cacheRead: number;
  contentBytes: number;
}

/** Messages as a scan or the cache hands them on. `models` gives the names to the numbers in the rows. */
export interface MessageRows {
  rows: Float64Array;
  models: string[];
}

/** The messages of all files, each once: of what several files say of one, the largest counts hold (docs/format.md). */
export class MessageTable {
  readonly models: string[] = [];
  #rows: Float64Array;
  #count = 0;
  // Open addressing: a place holds the number of a row, plus one. A Map would make an object of every key.
  #places: Int32Array;
  readonly #modelIndexes = new Map<string, number>();

  /** With room for as many messages; there may be more. */
  constructor(expected = 64) {
    this.#rows = new Float64Array(expected * ROW_LENGTH);
    this.#places = new Int32Array(powerOfTwo(expected * 2));
  }

  get count(): number {
    return this.#count;
  }

  /** The rows so far; shared with the table, not a copy. */
  get rows(): Float64Array {
    return this.#rows.subarray(0, this.#count * ROW_LENGTH);
  }

  #modelIndex(model: string): number {
    let index = this.#modelIndexes.get(model);
    if (index === undefined) this.#modelIndexes.set(model, (index = this.models.push(model) - 1));
    return index;
  }

  /** Takes the messages of another file in. Copies tell the same content again. */
  addRows({ rows, models }: MessageRows): void {
    const indexes = models.map((model) => this.#modelIndex(model));
    // Most are new: they are copied together, and move up only behind one that was not.
    const start = this.#count * ROW_LENGTH;
    const end = start + rows.length;
    this.#makeRoom(end / ROW_LENGTH);
    const [all, places] = [this.#rows, this.#places];
    all.set(rows, start);
    for (let from = start; from < end; from += ROW_LENGTH) {
      const place = this.#placeOf(all[from]!);
      const known = places[place]! - 1;
      if (known < 0) {
        const at = this.#count * ROW_LENGTH;
        if (at < from) all.copyWithin(at, from, from + ROW_LENGTH);
        all[at + Column.model] = indexes[all[at + Column.model]!]!;
        places[place] = ++this.#count;
        continue;
      }
      const row = known * ROW_LENGTH;
      all[row + Column.flags]! |= all[from + Column.flags]! & MessageFlag.stopped;
      for (let column = Column.input; column <= Column.contentBytes; column++)
        raise(all, row + column, all[from + column]!);
    }
  }

  /** For as many rows, and for places of which half are free. */
  #makeRoom(count: number): void {
    if (count * ROW_LENGTH > this.#rows.length) {
      const larger = new Float64Array(Math.max(count * ROW_LENGTH, this.#rows.length * 2));
      larger.set(this.#rows);
      this.#rows = larger;
    }
    if (count * 2 > this.#places.length) this.#growPlaces(count * 2);
  }

  /** The place of a key, or the free one where it belongs. */
  #placeOf(key: number): number {
    const places = this.#places;
    const mask = places.length - 1;
    let place = key & mask;
    for (;;) {
      const row = places[place]! - 1;
      if (row < 0 || this.#rows[row * ROW_LENGTH + Column.key] === key) return place;
      place = (place + 1) & mask;
    }
  }

  #growPlaces(length: number): void {
    this.#places = new Int32Array(powerOfTwo(length));
    for (let row = 0; row < this.#count; row++)
      this.#places[this.#placeOf(this.#rows[row * ROW_LENGTH + Column.key]!)] = row + 1;
  }
}

/** The first that is not smaller. */
function powerOfTwo(number: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, number)));
}

function raise(rows: Float64Array, at: number, value: number): void {
  if (value > rows[at]!) rows[at] = value;
}
