import fs from "node:fs";
import path from "node:path";
import { joinContent, splitContent, writeCacheFile } from "./cache-file.ts";
import type { CountedFile } from "./read-messages.ts";
import type { UsageCell } from "./usage-cells.ts";

const VERSION = 2;

/** Sums of all messages. */
export interface UsageSums {
  /** Of the transcripts: what their messages are grouped by. */
  files: readonly Pick<CountedFile, "projectKey" | "sessionId" | "agentId">[];
  cells: readonly UsageCell[];
}

/** What sums were made from: with the same transcripts and the same prices they come out the same. */
export interface SumsSource {
  transcripts: readonly { path: string; bytes: number; mtimeMs: number; inode: number }[];
  prices: string;
}

/** The sums for when nothing changed, in a file of the index folder. A cache: losing it costs a scan. */
export class SumsCache {
  readonly #file: string;

  constructor(indexDir: string) {
    this.#file = path.join(indexDir, "usage-sums.bin");
  }

  /** Undefined when they were made from something else. `ofFiles` is false when the files need not be kept apart. */
  read(source: SumsSource, { ofFiles }: { ofFiles: boolean }): UsageSums | undefined {
    try {
      const { header, numbers, names } = splitContent<Header>(fs.readFileSync(this.#file));
      if (header.version !== VERSION || !isMadeFrom(source, header, numbers)) return undefined;
      const start = source.transcripts.length * STAMP_LENGTH;
      const middle = start + header.ofAllFilesLength * CELL_LENGTH;
      if (!ofFiles) return { files: [], cells: cellsOf(numbers.subarray(start, middle), header) };
      const files = JSON.parse(names.toString()) as UsageSums["files"];
      return { files, cells: cellsOf(numbers.subarray(middle), header) };
    } catch {
      return undefined;
    }
  }

  write(
    source: SumsSource,
    { files, cells, ofAllFiles }: UsageSums & { ofAllFiles: readonly UsageCell[] },
  ): void {
    const models = [...new Set(cells.map(({ model }) => model))];
    const days = [...new Set(cells.map(({ day }) => day))];
    const header: Header = {
      version: VERSION,
      prices: source.prices,
      days,
      models,
      paths: pathsOf(source),
      ofAllFilesLength: ofAllFiles.length,
    };
    const named = files.map(({ projectKey, sessionId, agentId }) => ({ projectKey, sessionId, agentId }));
    const numbers = [stampsOf(source), valuesOf(ofAllFiles, header), valuesOf(cells, header)];
    writeCacheFile(this.#file, joinContent(header, { numbers, names: JSON.stringify(named) }));
  }
}

interface Names {
  days: string[];
  models: string[];
}

interface Header extends Names {
  version: number;
  prices: string;
  /** Of the transcripts, one a line. */
  paths: string;
  /** How many cells there are of all files together; those of each file follow them. */
  ofAllFilesLength: number;
}

function pathsOf({ transcripts }: SumsSource): string {
  return transcripts.map((each) => each.path).join("\n");
}

const STAMP_LENGTH = 3;

function stampsOf({ transcripts }: SumsSource): Float64Array {
  const stamps = new Float64Array(transcripts.length * STAMP_LENGTH);
  transcripts.forEach(({ bytes, mtimeMs, inode }, index) => {
    stamps.set([bytes, mtimeMs, inode], index * STAMP_LENGTH);
  });
  return stamps;
}

function isMadeFrom(source: SumsSource, { prices, paths }: Header, stamps: Float64Array): boolean {
  const { transcripts } = source;
  for (let i = 0; i < transcripts.length; i++) {
    const { bytes, mtimeMs, inode } = transcripts[i]!;
    const at = i * STAMP_LENGTH;
    if (stamps[at] !== bytes || stamps[at + 1] !== mtimeMs || stamps[at + 2] !== inode) return false;
  }
  return prices === source.prices && paths === pathsOf(source);
}

const numberNames = [
  "messages",
  "inputTokens",
  "outputTokens",
  "cacheWrite5mTokens",
  "cacheWrite1hTokens",
  "cacheReadTokens",
  "placeholders",
  "costUsd",
  "unpriced",
] as const;
// The file, the day, the model, whether it is a side chain, and the numbers.
const CELL_LENGTH = 4 + numberNames.length;

function valuesOf(cells: readonly UsageCell[], { days, models }: Names): Float64Array {
  const values = new Float64Array(cells.length * CELL_LENGTH);
  const dayIndexes = new Map(days.map((day, index) => [day, index]));
  cells.forEach((cell, index) => {
    const at = index * CELL_LENGTH;
    values[at] = cell.file;
    values[at + 1] = dayIndexes.get(cell.day)!;
    values[at + 2] = models.indexOf(cell.model);
    values[at + 3] = cell.isSidechain ? 1 : 0;
    for (let i = 0; i < numberNames.length; i++) values[at + 4 + i] = cell[numberNames[i]!];
  });
  return values;
}

function cellsOf(values: Float64Array, { days, models }: Names): UsageCell[] {
  const cells: UsageCell[] = [];
  for (let at = 0; at < values.length; at += CELL_LENGTH)
    cells.push({
      file: values[at]!,
      day: days[values[at + 1]!]!,
      model: models[values[at + 2]!]!,
      isSidechain: values[at + 3] === 1,
      part: "",
      messages: values[at + 4]!,
      inputTokens: values[at + 5]!,
      outputTokens: values[at + 6]!,
      cacheWrite5mTokens: values[at + 7]!,
      cacheWrite1hTokens: values[at + 8]!,
      cacheReadTokens: values[at + 9]!,
      placeholders: values[at + 10]!,
      costUsd: values[at + 11]!,
      unpriced: values[at + 12]!,
    });
  return cells;
}
