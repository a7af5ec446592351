import type { AnyTranscript } from "../store/all-transcripts.ts";
import type { TranscriptPart } from "../store/cut-parts.ts";
import type { DerivedIndex } from "../store/index/derived-index.ts";
import type { Query } from "./parse-query.ts";
import { queryIndex } from "./query-index.ts";
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
  const { query, filter, transcripts, isEverything, matchesMax } = question;
  const words = new WordIndex(index);
  if (!words.isWhole) index.reject();
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
  const files = isAll ? undefined : new Set(indexed.keys());
  const found = queryIndex(index, { query, filter, files, matchesMax });
  const matches = found?.matches.flatMap(({ file, ...match }): TranscriptMatch[] => {
    const transcript = indexed.get(file);
    const isInside = transcript !== undefined && match.offset + match.length <= transcript.bytes;
    return isInside ? [{ ...match, transcript }] : [];
  });
  const isPossible = matches && matches.length === found!.matches.length;
  return isPossible ? { matches, total: found!.total, parts } : undefined;
}

function partFrom({ path, bytes }: AnyTranscript, from: number): TranscriptPart[] {
  return from < bytes ? [{ path, from, to: bytes }] : [];
}
