import fs from "node:fs";
import { isPacked } from "../archive/read-packed.ts";
import { compareCoverage, coverageOf, type FileCoverage } from "../index/file-coverage.ts";
import type { LineTable } from "../line/line-table.ts";
import { scanTable } from "../line/scan-table.ts";
import { openTranscriptFile } from "./open-transcript.ts";

/** What became of the file since the last look. `rewound` means that nothing of the earlier table holds. */
export type Growth = "same" | "grown" | "rewound";

interface Known {
  fd: number;
  table: LineTable;
  covered: FileCoverage;
}

/**
 * The line table of a transcript that is kept while the file grows: of what is appended only that is scanned. A file that was
 * cut, rewritten or put in the place of another one is scanned anew. Close it.
 */
export class GrowingTable {
  readonly #file: string;
  #known: Known;
  // Of files that another one took the place of: somebody may still be reading them.
  #earlier: number[] = [];

  private constructor(file: string, known: Known) {
    this.#file = file;
    this.#known = known;
  }

  /** Throws `session_not_found` or `not_a_transcript`. */
  static async open(file: string): Promise<GrowingTable> {
    return new GrowingTable(file, await scan(file));
  }

  get fd(): number {
    return this.#known.fd;
  }

  get table(): LineTable {
    return this.#known.table;
  }

  /** Looks at the file again. Throws `session_not_found` when it is gone. */
  async refresh(): Promise<Growth> {
    // What is in the archive never changes.
    if (isPacked(this.#file)) return "same";
    const { fd, covered } = this.#known;
    const isSameFile = fs.statSync(this.#file, { throwIfNoEntry: false })?.ino === covered.inode;
    const state = isSameFile ? compareCoverage(fd, covered) : "changed";
    if (state === "current") return "same";
    if (state === "grown") return this.#extend();
    this.#known = await scan(this.#file);
    this.#earlier.push(fd);
    return "rewound";
  }

  /** Closes what was rewound, once nobody reads it. */
  closeEarlier(): void {
    for (const fd of this.#earlier.splice(0)) fs.closeSync(fd);
  }

  close(): void {
    this.closeEarlier();
    fs.closeSync(this.#known.fd);
  }

  async #extend(): Promise<Growth> {
    const { fd, table } = this.#known;
    const stat = fs.fstatSync(fd);
    const later = await scanTable(fd, { from: table.to, to: stat.size });
    table.dropUnfinished();
    table.append(later);
    this.#known.covered = coverageOf(fd, { to: table.to, stat });
    return later.count === 0 ? "same" : "grown";
  }
}

async function scan(file: string): Promise<Known> {
  const fd = openTranscriptFile(file);
  try {
    const stat = fs.fstatSync(fd);
    const table = await scanTable(fd, { to: stat.size });
    return { fd, table, covered: coverageOf(fd, { to: table.to, stat }) };
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}
