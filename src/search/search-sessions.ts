import { runOnThreads, threadProgram } from "../lib/thread-pool.ts";
import { scanThreadBytesMin } from "../store/limits.ts";
import { rankedMatchesMax, scanBatchBytes, searchHitsMax } from "./limits.ts";
import { holdfastPaths } from "../format/paths.ts";
import type { AnyTranscript, TranscriptFolder } from "../store/list/all-transcripts.ts";
import { batchParts, bytesOf, cutParts } from "../store/line/cut-parts.ts";
import type { ProjectTranscripts } from "../store/archive/project-transcripts.ts";
import { DerivedIndex } from "../store/index/derived-index.ts";
import { askIndex, withoutIndex, type IndexAnswer } from "./ask-index.ts";
import type { DocumentRole } from "./document-role.ts";
import { searchError } from "./errors.ts";
import { eachSearchedFolder, listSearched, searchedAt, type SearchContext } from "./listed-transcripts.ts";
import { parseQuery } from "./parse-query.ts";
import { readHits, scaleOf, type FoundMatch } from "./read-hits.ts";
import type { SearchHit } from "./read-hit.ts";
import {
  scanMatches,
  type MatchFilter,
  type ScanRequest,
  type ScanResult,
  type Wanted,
} from "./scan-matches.ts";
import { matchTask, mayBeTask, passesTask } from "./searched-task.ts";
import { findTasks } from "./task-words.ts";
import { WordIndex } from "./word-index.ts";

export interface SearchOptions {
  /** Only of this project: a folder, and every folder inside of it. */
  project?: string | undefined;
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
  /** The transcripts that were looked through. */
  unindexed: readonly AnyTranscript[];
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
  const ofProject = await projectOf(context, options);
  const index =
    wanted.kind === "query"
      ? new DerivedIndex(holdfastPaths(context.home).indexDir, { onTrouble: context.onIndexTrouble })
      : undefined;
  try {
    const result = await search(context, { wanted, options, ofProject, index });
    if (result) return result;
    // One hit is not where the index says. Then nothing that it says is believed.
    context.onIndexTrouble?.("wrong");
    return (await search(context, { wanted, options, ofProject, index: undefined }))!;
  } finally {
    index?.close();
  }
}

function parseWanted(text: string, { isRegex }: SearchOptions): Wanted {
  if (!isRegex) return { kind: "query", query: parseQuery(text) };
  try {
    return { kind: "regex", source: new RegExp(text, "i").source };
  } catch (error) {
    throw searchError("query_invalid", `Cannot search for /${text}/: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

// Asked of the folders once, however often the rest is.
async function projectOf(
  { configDir, home, onUnreadable }: SearchContext,
  { project }: SearchOptions,
): Promise<ProjectTranscripts | undefined> {
  if (project === undefined) return undefined;
  const { transcriptsOfProject } = await import("../store/archive/project-transcripts.ts");
  const { archiveDir, indexDir } = holdfastPaths(home);
  return transcriptsOfProject({ configDir, archiveDir, indexDir, onUnreadable }, project);
}

interface Search {
  wanted: Wanted;
  options: SearchOptions;
  ofProject: ProjectTranscripts | undefined;
  index: DerivedIndex | undefined;
}

/** Undefined when what the index says is not so. */
async function search(
  context: SearchContext,
  { wanted, options, ofProject, index }: Search,
): Promise<SearchResult | undefined> {
  const { project, since, role, tool, type, limit = searchHitsMax } = options;
  const filter: MatchFilter = { since: since?.getTime(), role, tool, type };
  const matchesMax = Math.max(limit, rankedMatchesMax);
  const hasIndex = index !== undefined && new WordIndex(index).hasAny();
  let answer: IndexAnswer | "unreadable" | "wrong" = "unreadable";
  if (hasIndex && wanted.kind === "query")
    answer = askIndex(index, {
      query: wanted.query,
      filter,
      folders: () => eachWantedFolder(context, options, ofProject),
      transcriptsAt: (paths) => searchedAt(context, paths),
      isEverything: project === undefined && since === undefined,
      matchesMax,
    });
  if (answer === "wrong") return undefined;
  if (answer === "unreadable") answer = withoutIndex(listWanted(context, options, ofProject));
  const { parts, unheld } = answer;
  const scanned = await scan({ wanted, filter, matchesMax, parts }, options);
  const matches = scanned.matches.map((match): FoundMatch => ({
    ...match,
    transcript: unheld.get(match.path)!,
    isFromIndex: false,
  }));
  let total = answer.total + scanned.total;
  const ofTasks = await matchTasks(context, { wanted, filter, project, matchesMax, index });
  matches.push(...ofTasks.matches);
  total += ofTasks.total;
  const factor = matches.length > 0 ? await scaleOf(answer.matches[0], wanted) : 1;
  for (const match of answer.matches)
    matches.push({ ...match, score: match.score * factor, isFromIndex: true });
  const hits = await readHits(matches, { wanted, filter, limit });
  return hits && { hits, total, scannedBytes: bytesOf(parts), hasIndex, unindexed: [...unheld.values()] };
}

interface TaskSearch {
  wanted: Wanted;
  filter: MatchFilter;
  project: string | undefined;
  matchesMax: number;
  index: DerivedIndex | undefined;
}

async function matchTasks(
  { tasks }: SearchContext,
  { wanted, filter, project, matchesMax, index }: TaskSearch,
): Promise<{ matches: FoundMatch[]; total: number }> {
  if (!tasks || !mayBeTask(filter)) return { matches: [], total: 0 };
  // Of those that the filter leaves out, the index knows nothing, so that it cannot choose the best.
  const isFiltered = project !== undefined || filter.since !== undefined;
  const found = await findTasks(index, tasks, { wanted, matchesMax: isFiltered ? Infinity : matchesMax });
  const matches: FoundMatch[] = [];
  for (const task of found.tasks.filter((each) => passesTask(each, filter, project))) {
    const match = await matchTask(task, wanted);
    if (match) matches.push({ ...match, task });
  }
  return { matches, total: matches.length + found.more };
}

/** The transcripts that may hold what is looked for. */
function listWanted(
  context: SearchContext,
  options: SearchOptions,
  ofProject: ProjectTranscripts | undefined,
): AnyTranscript[] {
  return listSearched(context, ofProject?.mayHold).filter(isWantedFile(options, ofProject));
}

/** The same, folder after folder. */
function* eachWantedFolder(
  context: SearchContext,
  options: SearchOptions,
  ofProject: ProjectTranscripts | undefined,
): Generator<TranscriptFolder> {
  for (const { path, transcripts } of eachSearchedFolder(context, ofProject?.mayHold))
    yield { path, transcripts: transcripts.filter(isWantedFile(options, ofProject)) };
}

// What was last written to before that holds nothing newer.
function isWantedFile(
  { since }: SearchOptions,
  ofProject: ProjectTranscripts | undefined,
): (transcript: AnyTranscript) => boolean {
  return (transcript) =>
    (since === undefined || transcript.mtimeMs >= since.getTime()) &&
    (ofProject === undefined || ofProject.has(transcript));
}

/** Looks through parts of transcripts, on all cores. */
async function scan(
  { parts, ...request }: ScanRequest,
  { onProgress, signal }: SearchOptions,
): Promise<ScanResult> {
  const scanned: ScanResult = { matches: [], total: 0 };
  const totalBytes = bytesOf(parts);
  let doneBytes = 0;
  const pieces = parts.flatMap((part) => cutParts(part, scanBatchBytes));
  const jobs = [...batchParts(pieces, scanBatchBytes)].map((batch) =>
    Object.assign({ parts: batch }, request),
  );
  await runOnThreads<ScanRequest, ScanResult>(jobs, {
    program: threadProgram("search-worker", import.meta.url),
    here: scanMatches,
    ...(totalBytes < scanThreadBytesMin && { threads: 1 }),
    onResult: (job, { matches, total }) => {
      for (const match of matches) scanned.matches.push(match);
      scanned.total += total;
      doneBytes += bytesOf(job.parts);
      onProgress?.({ doneBytes, totalBytes });
    },
    signal,
  });
  return scanned;
}
