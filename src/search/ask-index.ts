import type { AnyTranscript, TranscriptFolder } from "../store/list/all-transcripts.ts";
import type { TranscriptPart } from "../store/line/cut-parts.ts";
import type { DerivedIndex } from "../store/index/derived-index.ts";
import { FoundFiles } from "../store/index/found-files.ts";
import { toFts, type Query } from "./parse-query.ts";
import type { TranscriptMatch } from "./read-hit.ts";
import type { MatchFilter } from "./scan-matches.ts";
import { WordIndex } from "./word-index.ts";

export interface IndexQuestion {
  query: Query;
  filter: MatchFilter;
  /** Those that may hold what is looked for, folder after folder. */
  folders: () => Iterable<TranscriptFolder>;
  /** Those at paths, as far as they are still there. */
  transcriptsAt: (paths: ReadonlySet<string>) => AnyTranscript[];
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
  /** The transcripts that the parts are of, by path. */
  unheld: Map<string, AnyTranscript>;
}

/** Asks the index as of one moment. "unreadable" when it cannot be asked, "wrong" when it says what cannot be. */
export function askIndex(index: DerivedIndex, question: IndexQuestion): IndexAnswer | "unreadable" | "wrong" {
  const answer = index.reliably(() =>
    index.atOneMoment(() => ask(index, question, "folders") ?? ask(index, question, "files")),
  );
  return answer ? (answer.result ?? "wrong") : "unreadable";
}

/** What is known without an index: all of it has to be looked through. */
export function withoutIndex(transcripts: readonly AnyTranscript[]): IndexAnswer {
  const answer = noAnswer();
  for (const transcript of transcripts) addPart(answer, transcript, 0);
  return answer;
}

/** By folders, most files are compared all at once. */
type ComparedBy = "folders" | "files";

/** Undefined when the rows are none that were ever written. */
function ask(index: DerivedIndex, question: IndexQuestion, by: ComparedBy): IndexAnswer | undefined {
  const words = new WordIndex(index);
  if (!words.isWhole) index.reject();
  const answer = noAnswer();
  const held = new FoundFiles(words.files);
  for (const { path: dir, transcripts } of question.folders()) {
    if (by === "folders" && held.addFolder(dir, transcripts)) continue;
    const known = words.files.below(dir);
    for (const transcript of transcripts) {
      const file = known.get(transcript.path);
      const isHeld = words.holds(transcript, file);
      if (isHeld) held.add(file!.id);
      addPart(answer, transcript, isHeld ? file!.size : 0);
    }
  }
  if (held.size === 0) return answer;
  // What is still held of files that changed or are gone does not count.
  const isAll = question.isEverything && held.areAll();
  const found = findMatches(index, question, isAll ? undefined : [...held.ids], by);
  return found && { ...answer, ...found };
}

function noAnswer(): IndexAnswer {
  return { matches: [], total: 0, parts: [], unheld: new Map() };
}

function addPart({ parts, unheld }: IndexAnswer, transcript: AnyTranscript, from: number): void {
  const { path, bytes } = transcript;
  if (from >= bytes) return;
  parts.push({ path, from, to: bytes });
  unheld.set(path, transcript);
}

/**
 * The best matches by words alone, in these files or in all; undefined when the rows are none that were ever written.
 */
function findMatches(
  index: DerivedIndex,
  { query, filter, transcriptsAt, matchesMax }: IndexQuestion,
  files: readonly number[] | undefined,
  by: ComparedBy,
): Pick<IndexAnswer, "matches" | "total"> | undefined {
  const { where, values } = conditions(filter, files);
  const match = toFts(query);
  const joined = "words JOIN documents ON documents.id = words.rowid";
  const rows = index.rows(
    `SELECT file, offset, length, at, -words.rank FROM ${joined} WHERE words MATCH ? ${where} ` +
      `ORDER BY words.rank LIMIT ${matchesMax}`,
    match,
    ...values,
  ) as MatchRow[];
  const words = new WordIndex(index);
  const pathOf = words.files.pathsOf(rows.map(([file]) => file));
  const matching = transcriptsAt(new Set(pathOf.values()));
  // A folder may be as it was though its rows were exchanged. So those that matter are compared by themselves.
  const areHeld = (): boolean =>
    matching.length === pathOf.size &&
    matching.every((each) => words.holds(each, words.files.find(each.path)));
  if (by === "folders" && !areHeld()) return undefined;
  const transcriptOf = new Map(matching.map((transcript) => [transcript.path, transcript]));
  const matches: TranscriptMatch[] = [];
  for (const row of rows) {
    const [file, offset, length, at, score] = row;
    const path = pathOf.get(file);
    if (path === undefined || !isPossible(row)) return undefined;
    const transcript = transcriptOf.get(path);
    // One that is gone by now has no matches.
    if (!transcript) continue;
    if (offset + length > transcript.bytes) return undefined;
    matches.push({ offset, length, at, score, transcript });
  }
  if (rows.length < matchesMax) return { matches, total: matches.length };
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
