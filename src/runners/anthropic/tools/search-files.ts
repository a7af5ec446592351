import fs from "node:fs/promises";
import path from "node:path";
import { RE2JS } from "re2js";
import { filterProgramSizeMax, searchedFileBytesMax } from "../../../format/limits.ts";
import { cutText } from "../../../format/short-text.ts";
import { parseFileFilter } from "./glob-pattern.ts";
import { isBinary } from "./load-file.ts";
import { matchLengthMax, type SearchNotes, type SearchQuery } from "./search-query.ts";
import { describeGaps, walkFiles } from "./walk-files.ts";

/**
 * Our own search, for machines without ripgrep: prints what it would print, slower, and without reading ignore files. The
 * engine is linear, so that no pattern can hang the process. Throws when the pattern makes no sense.
 */
export async function* searchFiles(query: SearchQuery, notes: SearchNotes): AsyncGenerator<string> {
  const expression = RE2JS.compile(query.pattern, query.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  if (expression.programSize() > filterProgramSizeMax) throw new Error("the pattern repeats too much");
  let isFirst = true;
  for await (const file of filesOf(query, notes)) {
    const lines = await readLines(file, notes);
    const matches = lines.flatMap((line, index) => (expression.matcher(line).find() ? [index] : []));
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

async function readLines(file: string, notes: SearchNotes): Promise<string[]> {
  const stat = await fs.stat(file).catch(() => undefined);
  if (!stat?.isFile()) return [];
  if (stat.size > searchedFileBytesMax) {
    notes.push(`(passed over "${file}": ${stat.size} bytes)`);
    return [];
  }
  const bytes = await fs.readFile(file).catch(() => undefined);
  if (!bytes || isBinary(bytes)) return [];
  return bytes.toString("utf8").replace(/\n$/, "").split(/\r?\n/);
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
