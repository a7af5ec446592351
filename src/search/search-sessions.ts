import { rankedMatchesMax, searchHitsMax } from "../format/limits.ts";
import { holdfastPaths, projectKeyMatches } from "../format/paths.ts";
import type { AnyTranscript } from "../store/all-transcripts.ts";
import { isPacked } from "../store/archive/read-packed.ts";
import type { TranscriptPart } from "../store/cut-parts.ts";
import { searchedText, type DocumentRole } from "./entry-document.ts";
import { searchError } from "./errors.ts";
import { listSearched, type SearchContext } from "./listed-transcripts.ts";
import { parseQuery } from "./parse-query.ts";
import { queryIndex } from "./query-index.ts";
import { readHit, readMatch, type SearchHit } from "./read-hit.ts";
import {
  scorerOf,
  type Match,
  type MatchFilter,
  type ScanRequest,
  type ScanResult,
  type Wanted,
} from "./scan-matches.ts";
import { ScanThreads } from "./scan-threads.ts";
import { shareScan, takeBatches } from "./shared-scan.ts";
import { matchTask, passesTask, readTaskHit, taskPath, type SearchedTask } from "./searched-task.ts";
import { SearchDatabase } from "./search-database.ts";
import { isCovered, stateOf } from "./covered-state.ts";

export interface SearchOptions {
  /** Only sessions of this working directory. */
  cwd?: string | undefined;
  since?: Date | undefined;
  role?: DocumentRole | undefined;
  /** Only calls of this tool and their results. */
  tool?: string | undefined;
  /** Only entries of this type, as transcripts name them. */
  type?: string | undefined;
  /** What is looked for is a regular expression, in either case; the index does not help. */
  isRegex?: boolean | undefined;
  limit?: number | undefined;
  onProgress?: ((progress: { doneBytes: number; totalBytes: number }) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface SearchResult {
  /** Best first. */
  hits: SearchHit[];
  /** Of all messages that match, shown or not. */
  total: number;
  /** Bytes that were looked through because the index does not hold them. */
  scannedBytes: number;
  hasIndex: boolean;
}

/**
 * Searches all transcripts, archived ones too. What the index holds is asked of the index, everything else is looked
 * through, so the answer is the same with a whole index, half of one, or none. Throws `query_invalid`.
 */
export async function searchSessions(
  context: SearchContext,
  text: string,
  options: SearchOptions = {},
): Promise<SearchResult> {
  const wanted = parseWanted(text, options);
  const { cwd, since, role, tool, type } = options;
  const filter: MatchFilter = { since: since?.getTime(), role, tool, type };
  const { indexDir } = holdfastPaths(context.home);
  const database = wanted.kind === "query" ? SearchDatabase.openToRead(indexDir) : undefined;
  const limit = options.limit ?? searchHitsMax;
  const matchesMax = Math.max(limit, rankedMatchesMax);
  const tasks = (context.tasks ?? []).filter((task) => passesTask(task, filter, cwd));
  const threads = new ScanThreads();
  let found: Found;
  try {
    // Without an index, all that is listed will be looked through.
    const transcripts = listWanted(context, options, { scanners: database ? undefined : threads });
    const plan = planSearch({ transcripts, tasks, database });
    const scanned = await scan(plan.parts, { wanted, filter, matchesMax }, { ...options, threads });
    found = { ...scanned, matches: withTranscripts(scanned.matches, transcripts) };
    for (const task of plan.tasks) {
      const match = await matchTask(task, wanted);
      if (match) found.matches.push({ ...match, task });
      if (match) found.total++;
    }
    if (database && wanted.kind === "query" && plan.indexed.size > 0) {
      const isAll = plan.isWhole && cwd === undefined && since === undefined;
      const files = isAll ? undefined : new Set(plan.indexed.keys());
      const asked = queryIndex(database, { query: wanted.query, filter, files, matchesMax });
      const indexed = asked.matches.flatMap(({ file, ...match }): FoundMatch[] => {
        const source = plan.indexed.get(file);
        return source ? [{ ...match, ...source }] : [];
      });
      const factor = found.matches.length > 0 ? await scaleOf(indexed[0], wanted) : 1;
      for (const match of indexed) found.matches.push({ ...match, score: match.score * factor });
      found.total += asked.total;
    }
  } finally {
    database?.close();
    await threads.close();
  }
  const hits = await readHits(found.matches, { wanted, limit });
  return { hits, total: found.total, scannedBytes: found.bytes, hasIndex: database !== undefined };
}

function parseWanted(text: string, { isRegex }: SearchOptions): Wanted {
  if (!isRegex) return { kind: "query", query: parseQuery(text) };
  try {
    return { kind: "regex", source: new RegExp(text, "i").source };
  } catch (error) {
    throw searchError("query_invalid", `Cannot search for /${text}/: ${(error as Error).message}`, error);
  }
}

/** The transcripts that may hold what is looked for; `scanners` are started while the rest is being listed. */
function listWanted(
  context: SearchContext,
  { cwd, since }: SearchOptions,
  { scanners }: { scanners: ScanThreads | undefined },
): AnyTranscript[] {
  // What was last written to before that holds nothing newer.
  const isWanted = ({ mtimeMs }: AnyTranscript): boolean => since === undefined || mtimeMs >= since.getTime();
  let listedBytes = 0;
  return listSearched(context, {
    wants: (key) => cwd === undefined || projectKeyMatches(key, cwd),
    onFolder: (transcripts) => {
      for (const each of transcripts) if (isWanted(each)) listedBytes += each.bytes;
      scanners?.startFor(listedBytes);
    },
  }).filter(isWanted);
}

/** Where something was found. */
type Source = { transcript: AnyTranscript } | { task: SearchedTask };

type FoundMatch = Match & Source;

interface Found {
  matches: FoundMatch[];
  total: number;
  bytes: number;
}

interface SearchPlan {
  /** Transcripts of which the index holds at least the beginning, and tasks, by the index's id. */
  indexed: Map<number, Source>;
  /** The index holds nothing but these. */
  isWhole: boolean;
  /** What is not in the index. */
  parts: TranscriptPart[];
  tasks: SearchedTask[];
}

function planSearch({
  transcripts,
  tasks,
  database,
}: {
  transcripts: readonly AnyTranscript[];
  tasks: readonly SearchedTask[];
  database: SearchDatabase | undefined;
}): SearchPlan {
  const files = database?.listFiles() ?? [];
  const known = new Map(files.map((file) => [file.path, file]));
  const plan: SearchPlan = { indexed: new Map(), isWhole: true, parts: [], tasks: [] };
  for (const transcript of transcripts) {
    const { path, bytes } = transcript;
    const file = known.get(path);
    let from = 0;
    if (database && file) {
      const isCurrent = isCovered(transcript, file);
      if (isCurrent || (!isPacked(path) && stateOf(file, database) === "grown")) {
        plan.indexed.set(file.id, { transcript });
        from = file.to;
      }
    }
    if (from < bytes) plan.parts.push({ path, from, to: bytes });
  }
  for (const task of tasks) {
    const file = known.get(taskPath(task));
    if (file) plan.indexed.set(file.id, { task });
    else plan.tasks.push(task);
  }
  plan.isWhole = plan.indexed.size === files.length;
  return plan;
}

async function scan(
  parts: readonly TranscriptPart[],
  request: ScanRequest,
  { onProgress, signal, threads }: SearchOptions & { threads: ScanThreads },
): Promise<ScanResult & { bytes: number }> {
  const totalBytes = bytesOf(parts);
  if (parts.length === 0) return { matches: [], total: 0, bytes: 0 };
  const shared = shareScan(request, parts);
  let bytes = 0;
  const bytesOfFirst = [0, ...shared.batches.map((batch) => (bytes += bytesOf(batch)))];
  let told = 0;
  const giveTurn = async (): Promise<void> => {
    await new Promise(setImmediate);
    signal?.throwIfAborted();
    const taken = Atomics.load(shared.taken, 0);
    if (taken > told) onProgress?.({ doneBytes: bytesOfFirst[taken] ?? totalBytes, totalBytes });
    told = taken;
  };
  threads.startFor(totalBytes);
  const results = await threads.scan(shared, () => takeBatches(shared, { giveTurn }));
  signal?.throwIfAborted();
  return {
    matches: results.flatMap(({ matches }) => matches),
    total: results.reduce((sum, { total }) => sum + total, 0),
    bytes: totalBytes,
  };
}

function withTranscripts(
  matches: ScanResult["matches"],
  transcripts: readonly AnyTranscript[],
): FoundMatch[] {
  if (matches.length === 0) return [];
  const transcriptOf = new Map(transcripts.map((transcript) => [transcript.path, transcript]));
  return matches.map((match) => ({ ...match, transcript: transcriptOf.get(match.path)! }));
}

function bytesOf(parts: readonly TranscriptPart[]): number {
  return parts.reduce((sum, { from, to }) => sum + to - from, 0);
}

// The index knows how rare a word is in it, a scan does not. Where both found something, one match that is weighed both
// ways tells how their numbers compare.
async function scaleOf(best: FoundMatch | undefined, wanted: Wanted): Promise<number> {
  const document = best && !("task" in best) ? await readMatch(best) : undefined;
  const blocks = best && "task" in best ? best.task.blocks() : document?.blocks;
  const score = blocks && scorerOf(wanted)(searchedText(blocks));
  return best && score !== undefined && best.score > 0 ? score / best.score : 1;
}

// Words first; of two that match alike, the newer one, and what is a month old counts half of what was said today.
const HALF_LIFE_MS = 30 * 86_400_000;
const RECENCY_WEIGHT = 0.5;

async function readHits(
  matches: readonly FoundMatch[],
  { wanted, limit }: { wanted: Wanted; limit: number },
): Promise<SearchHit[]> {
  const newest = matches.reduce((latest, { at }) => Math.max(latest, at ?? 0), 0);
  const ranked = matches
    .map((match) => {
      const recency = match.at === null ? 0 : 2 ** ((match.at - newest) / HALF_LIFE_MS);
      return { ...match, score: match.score * (1 - RECENCY_WEIGHT + RECENCY_WEIGHT * recency) };
    })
    .sort((a, b) => b.score - a.score || (b.at ?? 0) - (a.at ?? 0) || a.offset - b.offset);
  const hits: SearchHit[] = [];
  const seen = new Set<string>();
  for (const match of ranked) {
    if (hits.length >= limit) break;
    const hit = "task" in match ? await readTaskHit(match.task, match, wanted) : await readHit(match, wanted);
    // A fork repeats its past, word for word.
    if (!hit || (hit.uuid !== null && seen.has(hit.uuid))) continue;
    if (hit.uuid !== null) seen.add(hit.uuid);
    hits.push(hit);
  }
  return hits;
}
