import fs from "node:fs";
import type { AnyTranscript } from "../store/list/all-transcripts.ts";
import { isPacked } from "../store/archive/read-packed.ts";
import { statFile } from "../store/list/transcript-files.ts";
import { searchedText, type EntryDocument } from "./entry-document.ts";
import { hitOf, readMatch, type SearchHit, type TranscriptMatch } from "./read-hit.ts";
import { passes, scorerOf, type Match, type MatchFilter, type Wanted } from "./scan-matches.ts";
import { readTaskHit, type SearchedTask } from "./searched-task.ts";

/** What matches, and where. */
export type FoundMatch = (Match & { task: SearchedTask }) | (TranscriptMatch & { isFromIndex: boolean });

export interface WantedHits {
  wanted: Wanted;
  filter: MatchFilter;
  limit: number;
}

/**
 * The best hits, each read from its line. Undefined when a line is not what the index says it is, though its file has not
 * changed: then the index is wrong.
 */
export async function readHits(
  matches: readonly FoundMatch[],
  { wanted, filter, limit }: WantedHits,
): Promise<SearchHit[] | undefined> {
  const scoreOf = scorerOf(wanted);
  const isMatch = (document: EntryDocument, at: number | null): boolean =>
    passes(document, at, filter) && scoreOf(searchedText(document.blocks)) !== undefined;
  const hits: SearchHit[] = [];
  const seen = new Set<string>();
  for (const match of rank(matches)) {
    if (hits.length >= limit) break;
    if ("task" in match) {
      hits.push(await readTaskHit(match.task, match, wanted));
      continue;
    }
    const document = await readMatch(match);
    const isTrue = document !== undefined && (!match.isFromIndex || isMatch(document, match.at));
    if (!isTrue && match.isFromIndex && isUnchanged(match.transcript)) return undefined;
    // A fork repeats its past, word for word.
    if (!isTrue || (document.uuid !== undefined && seen.has(document.uuid))) continue;
    if (document.uuid !== undefined) seen.add(document.uuid);
    hits.push(hitOf(match, document, wanted));
  }
  return hits;
}

// Words first; of two that match alike, the newer one, and what is a month old counts half of what was said today.
const HALF_LIFE_MS = 30 * 86_400_000;
const RECENCY_WEIGHT = 0.5;

function rank(matches: readonly FoundMatch[]): FoundMatch[] {
  const newest = matches.reduce((latest, { at }) => Math.max(latest, at ?? 0), 0);
  return matches
    .map((match) => {
      const recency = match.at === null ? 0 : 2 ** ((match.at - newest) / HALF_LIFE_MS);
      return { ...match, score: match.score * (1 - RECENCY_WEIGHT + RECENCY_WEIGHT * recency) };
    })
    .sort((a, b) => b.score - a.score || (b.at ?? 0) - (a.at ?? 0) || a.offset - b.offset);
}

/** Whether a transcript still is as it was when it was listed. */
function isUnchanged({ path, inode, bytes, mtimeMs }: AnyTranscript): boolean {
  // What is in the archive never changes.
  if (isPacked(path)) return fs.existsSync(path);
  const stat = statFile(path);
  return stat?.ino === inode && stat.size === bytes && stat.mtimeMs === mtimeMs;
}

// The index knows how rare a word is in it, a scan does not. Where both found something, one match that is weighed both
// ways tells how their numbers compare.
export async function scaleOf(best: TranscriptMatch | undefined, wanted: Wanted): Promise<number> {
  const document = best && (await readMatch(best));
  const score = document && scorerOf(wanted)(searchedText(document.blocks));
  return best && score !== undefined && best.score > 0 ? score / best.score : 1;
}
