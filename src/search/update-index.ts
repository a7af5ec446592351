import fs from "node:fs";
import path from "node:path";
import { indexPieceBytes, scanThreadBytesMin } from "../format/limits.ts";
import { holdfastPaths } from "../format/paths.ts";
import { acquireLease } from "../lib/lease.ts";
import { ensurePrivateDir } from "../lib/private-dir.ts";
import { runOnThreads, threadProgram } from "../lib/thread-pool.ts";
import type { AnyTranscript } from "../store/all-transcripts.ts";
import { coverageOf, type FileCoverage } from "../store/file-coverage.ts";
import { openIfThere } from "../store/open-if-there.ts";
import { isPacked } from "../store/archive/read-packed.ts";
import { batchParts, cutParts, type TranscriptPart } from "../store/cut-parts.ts";
import { isCovered, stateOf } from "./covered-state.ts";
import { listSearched, type SearchContext } from "./listed-transcripts.ts";
import { prepareDocuments, type PreparedPart } from "./prepare-documents.ts";
import { addTask, isTaskPath, taskPath, type SearchedTask } from "./searched-task.ts";
import { SearchDatabase, type IndexedFile } from "./search-database.ts";

export interface UpdateIndexOptions {
  /** Throws what there is away first. */
  isRebuild?: boolean | undefined;
  /** Does nothing when there is more than this to take in. */
  bytesMax?: number | undefined;
  onProgress?: ((progress: { doneBytes: number; totalBytes: number }) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface IndexUpdate {
  files: number;
  documents: number;
  /** Of transcripts, that were taken in by this update. */
  bytes: number;
}

/**
 * Brings the index up to the transcripts: what was appended is taken in, what changed or is gone is forgotten. One process
 * at a time, or `conflict`. May be stopped at any moment, also by a kill: the next update goes on where this one was.
 */
export async function updateIndex(
  context: SearchContext,
  options: UpdateIndexOptions = {},
): Promise<IndexUpdate> {
  const { indexDir, leasesDir } = holdfastPaths(context.home);
  ensurePrivateDir(leasesDir);
  const lease = acquireLease(path.join(leasesDir, "search-index"), { subject: "the search index" });
  try {
    if (options.isRebuild) SearchDatabase.remove(indexDir);
    const database = SearchDatabase.openToWrite(indexDir);
    try {
      const bytes = await takeIn(database, listSearched(context), options);
      if (context.tasks) await takeInTasks(database, context.tasks, options);
      return { ...database.count(), bytes };
    } finally {
      database.close();
    }
  } finally {
    lease.release();
  }
}

/** A part of a transcript that is to be taken in. */
interface PlannedPart extends TranscriptPart {
  transcript: AnyTranscript;
  /** What was kept of it no longer holds. */
  isAnew: boolean;
}

async function takeIn(
  database: SearchDatabase,
  transcripts: readonly AnyTranscript[],
  { bytesMax = Infinity, onProgress, signal }: UpdateIndexOptions,
): Promise<number> {
  forgetGone(database, transcripts);
  const known = new Map(database.listFiles().map((file) => [file.path, file]));
  // The newest first: what somebody looks for is mostly there.
  const parts = [...transcripts]
    .sort((a, b) => b.mtimeMs - a.mtimeMs)
    .flatMap((transcript) =>
      planParts(transcript, startOf(transcript, known.get(transcript.path), database)),
    );
  const totalBytes = parts.reduce((sum, { from, to }) => sum + to - from, 0);
  if (totalBytes > bytesMax) return 0;
  let doneBytes = 0;
  const add = (batch: readonly PlannedPart[], prepared: readonly PreparedPart[]): void => {
    database.transaction(() => batch.forEach((part, index) => addPart(database, part, prepared[index]!)));
    for (const { from, to } of batch) doneBytes += to - from;
    onProgress?.({ doneBytes, totalBytes });
  };
  const batches = batchParts(parts, indexPieceBytes);
  if (totalBytes < scanThreadBytesMin) {
    for (const batch of batches) {
      signal?.throwIfAborted();
      const prepared = [];
      for (const part of batch) prepared.push(await prepareDocuments(part));
      add(batch, prepared);
    }
    return doneBytes;
  }
  // One thread prepares while this one writes; parts of a file come in order only if they come from one thread.
  const jobs = batches.map((batch) => ({ kind: "prepare", parts: batch.map(partOf) }) as const);
  const batchOf = new Map(jobs.map((job, index) => [job, batches[index]!]));
  await runOnThreads<(typeof jobs)[number], PreparedPart[]>(jobs, {
    program: threadProgram("search-worker", import.meta.url),
    threads: 2,
    onResult: (job, prepared) => add(batchOf.get(job)!, prepared),
    signal,
  });
  return doneBytes;
}

function partOf({ path: file, from, to }: PlannedPart): TranscriptPart {
  return { path: file, from, to };
}

// Of tasks the ended ones: they say nothing more.
async function takeInTasks(
  database: SearchDatabase,
  tasks: readonly SearchedTask[],
  { signal }: UpdateIndexOptions,
): Promise<void> {
  const known = new Map(database.listFiles().map(({ path: file, id }) => [file, id]));
  const present = new Set(tasks.map(taskPath));
  for (const [file, id] of known)
    if (isTaskPath(file) && !present.has(file))
      database.transaction(() => database.forget(id, { file: true }));
  for (const task of tasks) {
    if (task.endedAt === undefined || known.has(taskPath(task))) continue;
    signal?.throwIfAborted();
    await addTask(database, task);
  }
}

function forgetGone(database: SearchDatabase, transcripts: readonly AnyTranscript[]): void {
  const present = new Set(transcripts.map((transcript) => transcript.path));
  const gone = database.listFiles().filter((file) => !present.has(file.path) && !isTaskPath(file.path));
  if (gone.length === 0) return;
  database.transaction(() => gone.forEach(({ id }) => database.forget(id, { file: true })));
}

interface PartStart {
  from: number;
  isAnew: boolean;
}

function planParts(transcript: AnyTranscript, start: PartStart | undefined): PlannedPart[] {
  const { path: file, bytes } = transcript;
  if (start === undefined) return [];
  const parts = cutParts({ path: file, from: start.from, to: bytes }, indexPieceBytes);
  return parts.map(({ from, to }, index) => ({
    path: file,
    from,
    to,
    transcript,
    isAnew: start.isAnew && index === 0,
  }));
}

/** Where to go on with a transcript; undefined when there is nothing to do. */
function startOf(
  transcript: AnyTranscript,
  known: IndexedFile | undefined,
  database: SearchDatabase,
): PartStart | undefined {
  if (!known) return { from: 0, isAnew: true };
  if (isCovered(transcript, known)) return undefined;
  const state = isPacked(transcript.path) ? "changed" : stateOf(known, database);
  if (state === "gone") return undefined;
  return state === "grown" ? { from: known.to, isAnew: false } : { from: 0, isAnew: true };
}

function addPart(database: SearchDatabase, part: PlannedPart, prepared: PreparedPart): void {
  const id = database.fileId(part.path);
  if (part.isAnew) database.forget(id, { file: false });
  for (const document of prepared.documents) database.addDocument(id, document);
  const coverage = coverUpTo(part, prepared.to);
  if (coverage) database.cover(id, coverage);
  else database.forget(id, { file: true });
}

function coverUpTo({ transcript, path: file }: PlannedPart, to: number): FileCoverage | undefined {
  const { inode, bytes, mtimeMs } = transcript;
  // What is in the archive does not change.
  if (isPacked(file)) return { inode, to: bytes, size: bytes, mtimeMs, head: "", tail: "" };
  const fd = openIfThere(file);
  if (fd === undefined) return undefined;
  try {
    return coverageOf(fd, { to, stat: { ino: inode, size: bytes, mtimeMs } });
  } finally {
    fs.closeSync(fd);
  }
}
