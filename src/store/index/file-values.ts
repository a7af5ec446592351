import { compareCoverage, type FileCoverage } from "./file-coverage.ts";
import {
  BELOW,
  boundsOf,
  CoveredFiles,
  isCurrent,
  type IndexPart,
  type LookedAtFile,
} from "./covered-files.ts";
import { DerivedIndex, type IndexOptions } from "./derived-index.ts";
import { sealText, unsealText } from "./sealed-text.ts";

/** What is kept of a file. */
export interface KeptValue {
  id: number;
  value: unknown;
  /** How many of the file's bytes it describes. */
  to: number;
  /** Whether the file is as it was then. */
  isCurrent: boolean;
}

/**
 * One value for each file, kept in the index as JSON. A value carries the state of the file that it was made from, and a
 * checksum: what was damaged or got to another file must count as absent.
 */
export class FileValues {
  readonly #index: DerivedIndex;
  readonly #files: CoveredFiles;
  readonly #part: IndexPart;
  #rows: Map<unknown, unknown[]> | undefined;
  readonly #asked = new Set<number>();
  readonly #news = new Map<string, { coverage: FileCoverage; value: unknown }>();

  constructor(indexDir: string, part: IndexPart, options: IndexOptions = {}) {
    this.#index = new DerivedIndex(indexDir, options);
    this.#files = new CoveredFiles(this.#index, part);
    this.#part = part;
  }

  /** Reads what is kept of all files at once, for whoever will ask for thousands. */
  readAll(): void {
    this.#rows = byPath(this.#index.rows(SELECT, this.#part));
  }

  /** The same for the files below a folder. From now on only these can be found. */
  readBelow(dir: string): void {
    this.#rows = byPath(this.#index.rows(`${SELECT} AND ${BELOW}`, this.#part, ...boundsOf(dir)));
  }

  find(file: LookedAtFile): KeptValue | undefined {
    const row = this.#rows ? this.#rows.get(file.path) : this.#row(file.path);
    if (row) this.#asked.add(row[0] as number);
    const packed = row && unpack(row[1]);
    if (!packed) return undefined;
    const [inode, size, mtimeMs, to, value] = packed;
    return { id: row[0] as number, to, value, isCurrent: isCurrent({ inode, size, mtimeMs }, file) };
  }

  /** Whether an open file has only grown since, so that the value describes its beginning. */
  isBeginning({ id, to }: KeptValue, fd: number): boolean {
    const coverage = this.#files.coverageOf(id);
    return coverage !== undefined && compareCoverage(fd, { ...coverage, to }) === "grown";
  }

  set(path: string, coverage: FileCoverage, value: unknown): void {
    this.#news.set(path, { coverage, value });
  }

  /** Writes what was set, and forgets files that nobody asked for if all that are there were asked for. */
  keep({ wereAllAsked }: { wereAllAsked: boolean }): void {
    const gone = wereAllAsked ? this.#files.othersThan(this.#asked) : [];
    if (this.#news.size + gone.length === 0) return;
    this.#index.write(() => {
      for (const id of gone) this.#files.forget(id);
      for (const [path, { coverage, value }] of this.#news)
        this.#files.keep(this.#files.cover(path, coverage), pack(coverage, value));
    });
  }

  close(): void {
    this.#index.close();
  }

  #row(path: string): unknown[] | undefined {
    return this.#index.row(`${SELECT} AND path = ?`, this.#part, path);
  }
}

const SELECT = "SELECT id, data, path FROM files JOIN file_data ON file_data.file = files.id WHERE part = ?";

function byPath(rows: unknown[][]): Map<unknown, unknown[]> {
  const found = new Map<unknown, unknown[]>();
  for (const row of rows) found.set(row[2], row);
  return found;
}

type Packed = [inode: number, size: number, mtimeMs: number, to: number, value: unknown];

function pack({ inode, size, mtimeMs, to }: FileCoverage, value: unknown): string {
  return sealText(JSON.stringify([inode, size, mtimeMs, to, value] satisfies Packed));
}

function unpack(data: unknown): Packed | undefined {
  const json = unsealText(data);
  return json === undefined ? undefined : (JSON.parse(json) as Packed);
}
