import fs from "node:fs";
import path from "node:path";
import { indexBusyMs, indexPieceBytes } from "./limits.ts";
import { holdfastPaths } from "../format/paths.ts";
import { acquireLease } from "../lib/lease.ts";
import { ensurePrivateDir } from "../lib/private-dir.ts";
import type { AnyTranscript } from "../store/all-transcripts.ts";
import { isPacked } from "../store/archive/read-packed.ts";
import { batchParts, cutParts, type TranscriptPart } from "../store/cut-parts.ts";
import { readFingerprints } from "../store/file-coverage.ts";
import type { CoveredFile } from "../store/index/covered-files.ts";
import { DerivedIndex, type IndexTrouble } from "../store/index/derived-index.ts";
import { openIfThere } from "../store/open-if-there.ts";
import { searchError } from "./errors.ts";
import { listSearched, type SearchContext } from "./listed-transcripts.ts";
import { prepareDocuments, type PreparedPart } from "./prepare-documents.ts";
import { WordIndex } from "./word-index.ts";

export interface UpdateIndexOptions {
  /** Throws what there is away first. */
  isRebuild?: boolean | undefined;
  /** Only these transcripts, which a search did not find in the index. */
  only?: readonly AnyTranscript[] | undefined;
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
 * Brings the words in the index up to the transcripts: what was appended is taken in, what changed or is gone is forgotten.
 * One process at a time, or `conflict`. May be stopped at any moment, also by a kill: the next update goes on where this
 * one was. Throws `index_unwritable`.
 */
export async function updateIndex(
  context: SearchContext,
  options: UpdateIndexOptions = {},
): Promise<IndexUpdate> {
  const { leasesDir } = holdfastPaths(context.home);
  ensurePrivateDir(leasesDir);
  const lease = acquireLease(path.join(leasesDir, "search-index"), { subject: "the search index" });
  try {
    return await updateOnce(context, options).catch((error: unknown) => {
      // The next write makes a damaged index anew.
      if ((error as { fields?: { trouble?: unknown } }).fields?.trouble !== "damaged") throw error;
      return updateOnce(context, options);
    });
  } finally {
    lease.release();
  }
}

async function updateOnce(context: SearchContext, options: UpdateIndexOptions): Promise<IndexUpdate> {
  let trouble: IndexTrouble = "unwritable";
  const index = new DerivedIndex(holdfastPaths(context.home).indexDir, {
    waitMs: indexBusyMs,
    onTrouble: (each) => (trouble = each),
  });
  const write: Writer = (work) => {
    if (index.write(work)) return;
    throw searchError("index_unwritable", `Cannot write the index: ${reasons[trouble]}`, {
      fields: { trouble },
    });
  };
  try {
    const words = new WordIndex(index);
    if (options.isRebuild) write(() => words.forgetAll());
    const bytes = await takeIn(planUpdate(words, context, options.only), { words, write }, options);
    return { ...words.count(), bytes };
  } finally {
    index.close();
  }
}

/** Does all of a write or nothing. Throws `index_unwritable`. */
type Writer = (work: () => void) => void;

const reasons: Record<IndexTrouble, string> = {
  damaged: "it is damaged",
  wrong: "it does not fit the files",
  newer: "a newer Holdfast made it",
  unreadable: "it cannot be read",
  unwritable: "the disk is full or read-only",
  busy: "another process is writing to it",
};

interface UpdatePlan {
  parts: PlannedPart[];
  /** Ids of files that are no longer there. */
  gone: number[];
}

/** A part of a transcript that is to be taken in. */
interface PlannedPart extends TranscriptPart {
  transcript: AnyTranscript;
}

function planUpdate(
  words: WordIndex,
  context: SearchContext,
  only: readonly AnyTranscript[] | undefined,
): UpdatePlan {
  const transcripts = only ?? listSearched(context);
  const known = only ? knownOf(words, only) : words.files.list();
  // The newest first: what somebody looks for is mostly there.
  const parts = [...transcripts]
    .sort((a, b) => b.mtimeMs - a.mtimeMs)
    .flatMap((transcript) => planParts(transcript, startOf(words, transcript, known.get(transcript.path))));
  for (const transcript of transcripts) known.delete(transcript.path);
  return { parts, gone: [...known.values()].map(({ id }) => id) };
}

function knownOf(words: WordIndex, transcripts: readonly AnyTranscript[]): Map<string, CoveredFile> {
  const known = new Map<string, CoveredFile>();
  for (const transcript of transcripts) {
    const file = words.files.find(transcript.path);
    if (file) known.set(transcript.path, file);
  }
  return known;
}

/** Where to go on with a transcript; undefined when there is nothing to do. */
function startOf(
  words: WordIndex,
  transcript: AnyTranscript,
  known: CoveredFile | undefined,
): number | undefined {
  const state = words.stateOf(transcript, known);
  if (state === "current" || state === "gone") return undefined;
  return state === "grown" ? known!.size : 0;
}

function planParts(transcript: AnyTranscript, from: number | undefined): PlannedPart[] {
  if (from === undefined) return [];
  const whole = { path: transcript.path, from, to: transcript.bytes };
  return cutParts(whole, indexPieceBytes).map(({ from: at, to }) => ({
    path: transcript.path,
    from: at,
    to,
    transcript,
  }));
}

async function takeIn(
  { parts, gone }: UpdatePlan,
  { words, write }: { words: WordIndex; write: Writer },
  { onProgress, signal }: UpdateIndexOptions,
): Promise<number> {
  if (gone.length > 0) write(() => gone.forEach((file) => words.forgetFile(file)));
  const totalBytes = parts.reduce((sum, { from, to }) => sum + to - from, 0);
  let doneBytes = 0;
  for (const batch of batchParts(parts, indexPieceBytes)) {
    signal?.throwIfAborted();
    const prepared: PreparedPart[] = [];
    for (const part of batch) prepared.push(await prepareDocuments(part));
    write(() => batch.forEach((part, index) => addPart(words, part, prepared[index]!)));
    for (const { from, to } of batch) doneBytes += to - from;
    onProgress?.({ doneBytes, totalBytes });
  }
  return doneBytes;
}

function addPart(words: WordIndex, part: PlannedPart, { documents, to }: PreparedPart): void {
  const { inode, mtimeMs, bytes } = part.transcript;
  if (isPacked(part.path)) {
    // What is in the archive does not change, so it needs no proof that it only grew.
    words.addPart(part, documents, { inode, mtimeMs, to: bytes, head: "", tail: "" });
    return;
  }
  const fd = openIfThere(part.path);
  // One that is gone is forgotten by the next update.
  if (fd === undefined) return;
  try {
    words.addPart(part, documents, { inode, mtimeMs, to, ...readFingerprints(fd, to) });
  } finally {
    fs.closeSync(fd);
  }
}
