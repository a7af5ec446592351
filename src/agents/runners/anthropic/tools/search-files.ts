import { constants } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import { RE2JS } from "re2js";
import { filterProgramSizeMax } from "../../../../lib/limits.ts";
import { searchedFileBytesMax, searchedTotalBytesMax } from "./limits.ts";
import { cutText } from "../../../../format/short-text.ts";
import { parseFileFilter } from "./glob-pattern.ts";
import { isBinary } from "./load-file.ts";
import { pathOfOpen } from "./open-file.ts";
import { matchLengthMax, type SearchNotes, type SearchQuery } from "./search-query.ts";
import { describeGaps, walkFiles } from "./walk-files.ts";

/**
 * Our own search, for machines without ripgrep: prints what it would print, slower, and without reading ignore files. The
 * engine is linear, so that no pattern can hang the process. Throws when the pattern makes no sense.
 */
export async function* searchFiles(query: SearchQuery, notes: SearchNotes): AsyncGenerator<string> {
  const isMatch = lineMatcher(query);
  const reader = new TextReader(query.mayRead);
  let isFirst = true;
  for await (const file of filesOf(query, notes)) {
    if (reader.isExhausted) break;
    const text = await reader.read(file);
    if (!isMatch.anywhere(text)) continue;
    const lines = text.replace(/\n$/, "").split("\n");
    const matches = lines.flatMap((line, index) => (isMatch.line(line) ? [index] : []));
    if (matches.length === 0) continue;
    const name = path.relative(query.cwd, file);
    if (query.mode === "files_with_matches") yield name;
    else if (query.mode === "count") yield `${name}:${matches.length}`;
    else {
      const hasContext = query.linesBefore + query.linesAfter > 0;
      if (hasContext && !isFirst) yield "--";
      yield* withContext(lines, { name, matches, query });
    }
    isFirst = false;
  }
  notes.push(...reader.notes());
}

async function* filesOf({ target, glob, signal }: SearchQuery, notes: SearchNotes): AsyncGenerator<string> {
  if (!(await fs.stat(target)).isDirectory()) {
    yield target;
    return;
  }
  const isWanted = glob === undefined ? () => true : parseFileFilter(glob);
  const gaps = { isCut: false, unreadableFolders: 0 };
  const withPackages = /node_modules/.test(target);
  for await (const { relativePath, file } of walkFiles(target, { withPackages, signal, gaps })) {
    if (isWanted(relativePath)) yield file;
  }
  notes.push(...describeGaps(gaps));
}

// Text without a place that could match has no line that does; most files are done with after that.
interface LineMatcher {
  anywhere(text: string): boolean;
  line(line: string): boolean;
}

function lineMatcher({ pattern, ignoreCase }: SearchQuery): LineMatcher {
  if (!ignoreCase && /^[\w\s"'`,;:=<>@#%&!~/-]+$/.test(pattern)) {
    const isIn = (text: string): boolean => text.includes(pattern);
    return { anywhere: isIn, line: isIn };
  }
  const flags = ignoreCase ? RE2JS.CASE_INSENSITIVE : 0;
  const expression = RE2JS.compile(pattern, flags);
  if (expression.programSize() > filterProgramSizeMax) throw new Error("the pattern repeats too much");
  const ofLines = RE2JS.compile(pattern, flags | RE2JS.MULTILINE);
  // The ends of the whole text are ends of lines only when a line is looked at alone.
  const hasTextEnds = /\\[Az]/.test(pattern);
  return {
    anywhere: (text) => hasTextEnds || ofLines.matcher(text).find(),
    line: (line) => expression.matcher(line).find(),
  };
}

/** Reads what is worth searching, and knows what it passed over. */
class TextReader {
  #bytesLeft = searchedTotalBytesMax;
  readonly #large: string[] = [];
  readonly #mayRead: SearchQuery["mayRead"];

  constructor(mayRead: SearchQuery["mayRead"]) {
    this.#mayRead = mayRead;
  }

  get isExhausted(): boolean {
    return this.#bytesLeft <= 0;
  }

  /** Nothing of what cannot be read, may not be, is too large, or is no text. */
  async read(file: string): Promise<string> {
    const stat = await fs.stat(file).catch(() => undefined);
    if (!stat?.isFile()) return "";
    if (stat.size > searchedFileBytesMax) {
      this.#large.push(file);
      return "";
    }
    const bytes = await this.#bytesOf(file).catch(() => undefined);
    this.#bytesLeft -= stat.size;
    if (!bytes || isBinary(bytes)) return "";
    return bytes.toString("utf8").replaceAll("\r\n", "\n");
  }

  // What is judged is the file that is open, under both its names.
  async #bytesOf(file: string): Promise<Buffer | undefined> {
    if (!this.#mayRead) return fs.readFile(file);
    const handle = await fs.open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const real = await pathOfOpen(handle, file);
      const isAllowed = (await this.#mayRead(file)) && (await this.#mayRead(real));
      return isAllowed && (await handle.stat()).isFile() ? await handle.readFile() : undefined;
    } finally {
      await handle.close();
    }
  }

  notes(): string[] {
    const [first] = this.#large;
    const count = this.#large.length;
    const size = `over ${searchedFileBytesMax} bytes`;
    return [
      ...(first === undefined ? [] : [`(${count} files ${size} were passed over, "${first}" for one)`]),
      ...(this.isExhausted
        ? [`(stopped after ${searchedTotalBytesMax} bytes; name a folder or a glob)`]
        : []),
    ];
  }
}

function* withContext(
  lines: readonly string[],
  { name, matches, query }: { name: string; matches: readonly number[]; query: SearchQuery },
): Generator<string> {
  const isMatch = new Set(matches);
  let next = 0;
  for (const match of matches) {
    const from = Math.max(next, match - query.linesBefore);
    if (next > 0 && from > next && query.linesBefore + query.linesAfter > 0) yield "--";
    const to = Math.min(lines.length - 1, match + query.linesAfter);
    for (let index = from; index <= to; index++) {
      const mark = isMatch.has(index) ? ":" : "-";
      yield `${name}${mark}${index + 1}${mark}${cutText(lines[index]!, matchLengthMax)}`;
    }
    next = Math.max(next, to + 1);
  }
}
