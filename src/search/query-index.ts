import type { DerivedIndex } from "../store/index/derived-index.ts";
import { toFts, type Query } from "./parse-query.ts";
import type { Match, MatchFilter } from "./scan-matches.ts";

export interface IndexMatches {
  /** The best by words alone, with the id of the transcript. */
  matches: (Match & { file: number })[];
  total: number;
}

export interface IndexQuery {
  query: Query;
  filter: MatchFilter;
  /** Only these transcripts; undefined for all. */
  files: ReadonlySet<number> | undefined;
  /** Of more matches, only the best are given. */
  matchesMax: number;
}

/** What the index knows of a query; undefined when its rows are none that were ever written. */
export function queryIndex(
  index: DerivedIndex,
  { query, filter, files, matchesMax }: IndexQuery,
): IndexMatches | undefined {
  const { where, values } = conditions(filter, files);
  const match = toFts(query);
  const joined = "words JOIN documents ON documents.id = words.rowid";
  const found = index.rows(
    `SELECT file, offset, length, at, -words.rank FROM ${joined} WHERE words MATCH ? ${where} ` +
      `ORDER BY words.rank LIMIT ${matchesMax}`,
    match,
    ...values,
  ) as MatchRow[];
  if (!found.every(isPossible)) return undefined;
  const matches = found.map(([file, offset, length, at, score]) => ({ file, offset, length, at, score }));
  if (matches.length < matchesMax) return { matches, total: matches.length };
  // Each word's row has its document, so only conditions need those.
  const counted = where === "" ? "words" : joined;
  const total = index.row(
    `SELECT count(*) FROM ${counted} WHERE words MATCH ? ${where}`,
    match,
    ...values,
  )?.[0];
  return { matches, total: total as number };
}

type MatchRow = [file: number, offset: number, length: number, at: number | null, score: number];

function isPossible([, offset, length, at, score]: MatchRow): boolean {
  const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
  const isMoment = at === null || !Number.isNaN(new Date(at).getTime());
  return isCount(offset) && isCount(length) && isMoment && Number.isFinite(score);
}

function conditions(
  { since, role, tool, type }: MatchFilter,
  files: ReadonlySet<number> | undefined,
): { where: string; values: (string | number)[] } {
  const where: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, value: string | number): void => {
    where.push(`AND ${condition}`);
    values.push(value);
  };
  if (since !== undefined) add("at >= ?", since);
  if (role !== undefined) add("role = ?", role);
  if (type !== undefined) add("type = ?", type);
  if (tool !== undefined) add("instr(tools, ?) > 0", ` ${tool} `);
  // As one value, because a statement takes only so many.
  if (files) add("file IN (SELECT value FROM json_each(?))", JSON.stringify([...files]));
  return { where: where.join(" "), values };
}
