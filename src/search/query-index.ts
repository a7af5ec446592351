import { toFts, type Query } from "./parse-query.ts";
import type { Match, MatchFilter } from "./scan-matches.ts";
import type { SearchDatabase } from "./search-database.ts";

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

/** What the index knows of a query. */
export function queryIndex(
  database: SearchDatabase,
  { query, filter, files, matchesMax }: IndexQuery,
): IndexMatches {
  const { where, values } = conditions(filter, files);
  const match = toFts(query);
  const joined = "words JOIN documents ON documents.id = words.rowid";
  const found = database.rows(
    `SELECT file, offset, length, at, -words.rank FROM ${joined} WHERE words MATCH ? ${where} ` +
      `ORDER BY words.rank LIMIT ${matchesMax}`,
    match,
    ...values,
  ) as [number, number, number, number | null, number][];
  const matches = found.map(([file, offset, length, at, score]) => ({ file, offset, length, at, score }));
  if (matches.length < matchesMax) return { matches, total: matches.length };
  // Each word's row has its document, so only conditions need those.
  const counted = where === "" ? "words" : joined;
  const [[total]] = database.rows(
    `SELECT count(*) FROM ${counted} WHERE words MATCH ? ${where}`,
    match,
    ...values,
  ) as [[number]];
  return { matches, total };
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
