import type { AnyTranscript } from "../store/all-transcripts.ts";
import type { TranscriptPart } from "../store/cut-parts.ts";
import type { DerivedIndex } from "../store/index/derived-index.ts";
import { toFts, type Query } from "./parse-query.ts";
import type { TranscriptMatch } from "./read-hit.ts";
import type { MatchFilter } from "./scan-matches.ts";
import { WordIndex } from "./word-index.ts";

export interface IndexQuestion {
  query: Query;
  filter: MatchFilter;
  /** Those that may hold what is looked for. */
  transcripts: readonly AnyTranscript[];
  /** There are no others. */
  isEverything: boolean;
  /** Of more matches, only the best are given. */
  matchesMax: number;
}

export interface IndexAnswer {
  matches: TranscriptMatch[];
  /** All that match; more than `matches` has when there are very many. */
  total: number;
  /** What the index does not hold: it has to be looked through. */
  parts: TranscriptPart[];
}

/** Asks the index as of one moment. Where it cannot be read, it holds nothing. Undefined when it says what cannot be. */
export function askIndex(index: DerivedIndex, question: IndexQuestion): IndexAnswer | undefined {
  const answer = index.reliably(() => index.atOneMoment(() => ask(index, question)));
  return answer ? answer.result : withoutIndex(question.transcripts);
}

export function withoutIndex(transcripts: readonly AnyTranscript[]): IndexAnswer {
  return { matches: [], total: 0, parts: transcripts.flatMap((transcript) => partFrom(transcript, 0)) };
}

function ask(index: DerivedIndex, question: IndexQuestion): IndexAnswer | undefined {
  const { transcripts, isEverything } = question;
  const words = new WordIndex(index);
  const known = words.files.list();
  const indexed = new Map<number, AnyTranscript>();
  const parts: TranscriptPart[] = [];
  for (const transcript of transcripts) {
    const file = known.get(transcript.path);
    const state = words.stateOf(transcript, file);
    const isHeld = state === "current" || state === "grown";
    if (isHeld) indexed.set(file!.id, transcript);
    parts.push(...partFrom(transcript, isHeld ? file!.size : 0));
  }
  if (indexed.size === 0) return { matches: [], total: 0, parts };
  // What is still held of files that changed or are gone does not count.
  const isAll = isEverything && indexed.size === known.size;
  const found = findMatches(index, question, { indexed, isAll });
  return found && { ...found, parts };
}

/** The best matches by words alone; undefined when the rows are none that were ever written. */
function findMatches(
  index: DerivedIndex,
  { query, filter, matchesMax }: IndexQuestion,
  { indexed, isAll }: { indexed: ReadonlyMap<number, AnyTranscript>; isAll: boolean },
): Omit<IndexAnswer, "parts"> | undefined {
  const { where, values } = conditions(filter, isAll ? undefined : [...indexed.keys()]);
  const match = toFts(query);
  const joined = "words JOIN documents ON documents.id = words.rowid";
  const rows = index.rows(
    `SELECT file, offset, length, at, -words.rank FROM ${joined} WHERE words MATCH ? ${where} ` +
      `ORDER BY words.rank LIMIT ${matchesMax}`,
    match,
    ...values,
  ) as MatchRow[];
  const matches: TranscriptMatch[] = [];
  for (const row of rows) {
    const [file, offset, length, at, score] = row;
    const transcript = indexed.get(file);
    if (!transcript || !isPossible(row) || offset + length > transcript.bytes) return undefined;
    matches.push({ offset, length, at, score, transcript });
  }
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
  files: readonly number[] | undefined,
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
  if (files) add("file IN (SELECT value FROM json_each(?))", JSON.stringify(files));
  return { where: where.join(" "), values };
}

function partFrom({ path, bytes }: AnyTranscript, from: number): TranscriptPart[] {
  return from < bytes ? [{ path, from, to: bytes }] : [];
}
