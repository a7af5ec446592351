import fs from "node:fs";
import { indexBusyMs, indexPieceBytes } from "./limits.ts";
import { holdfastPaths } from "../format/paths.ts";
import type { AnyTranscript } from "../store/list/all-transcripts.ts";
import { isPacked } from "../store/archive/read-packed.ts";
import { batchParts, cutParts, type TranscriptPart } from "../store/line/cut-parts.ts";
import { readFingerprints } from "../store/index/file-coverage.ts";
import type { CoveredFile, LookedAtFile } from "../store/index/covered-files.ts";
import { DerivedIndex, type IndexTrouble } from "../store/index/derived-index.ts";
import { openIfThere } from "../store/read/open-if-there.ts";
import { listSearched, type SearchContext } from "./listed-transcripts.ts";
import { prepareDocuments, type PreparedPart } from "./prepare-documents.ts";
import { WordIndex } from "./word-index.ts";

export interface UpdateIndexOptions {
  /** Throws what there is away first. */
  isRebuild?: boolean | undefined;
  /** Only these transcripts, which a search did not find in the index. */
  only?: readonly AnyTranscript[] | undefined;
  onProgress?: ((progress: IndexProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface IndexProgress {
  doneBytes: number;
  totalBytes: number;
}

export interface IndexUpdate {
  files: number;
  documents: number;
  /** Of transcripts, that were taken in by this update. */
  bytes: number;
}

/** What became of an update. What was taken in before the index could not be written is in it. */
export type UpdateOutcome =
  | { kind: "updated"; update: IndexUpdate }
  | { kind: "unwritable"; trouble: IndexTrouble };

/** Takes in what was appended to transcripts and forgets what changed or is gone. The caller keeps other processes away. */
export async function updateWords(
  context: SearchContext,
  options: UpdateIndexOptions,
): Promise<UpdateOutcome> {
  let trouble: IndexTrouble = "unwritable";
  const index = new DerivedIndex(holdfastPaths(context.home).indexDir, {
    waitMs: indexBusyMs,
    onTrouble: (each) => (trouble = each),
  });
  const write: Writer = (work) => {
    if (!index.write(work)) throw new Unwritable();
  };
  try {
    const words = new WordIndex(index);
    if (options.isRebuild) write(() => words.forgetAll());
    const bytes = await takeIn(planUpdate(words, context, options.only), { words, write }, options);
    return { kind: "updated", update: { ...words.count(), bytes } };
  } catch (error) {
    if (error instanceof Unwritable) return { kind: "unwritable", trouble };
    throw error;
  } finally {
    index.close();
  }
}

/** Does all of a write or nothing. Throws `Unwritable`. */
type Writer = (work: () => void) => void;

class Unwritable extends Error {}

interface UpdatePlan {
  /** The newest first: what somebody looks for is mostly there. */
  stale: StaleTranscript[];
  /** Ids of files that are no longer there. */
  gone: number[];
}

/** A transcript that is to be taken in, from where the index ends. There may be very many, so that it has no more than this. */
interface StaleTranscript extends LookedAtFile {
  from: number;
}

function planUpdate(
  words: WordIndex,
  context: SearchContext,
  only: readonly AnyTranscript[] | undefined,
): UpdatePlan {
  const transcripts = only ?? listSearched(context);
  const known = only ? knownOf(words, only) : words.files.list();
  const stale: StaleTranscript[] = [];
  for (const transcript of transcripts) {
    const { path, bytes, mtimeMs, inode } = transcript;
    const from = startOf(words, transcript, known.get(path));
    if (from !== undefined) stale.push({ path, bytes, mtimeMs, inode, from });
    known.delete(path);
  }
  stale.sort((a, b) => b.mtimeMs - a.mtimeMs);
  return { stale, gone: [...known.values()].map(({ id }) => id) };
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

interface StalePart extends TranscriptPart {
  transcript: StaleTranscript;
}

/** Cut when they are asked for: the parts of all transcripts would fill memory. */
function* partsOf(stale: readonly StaleTranscript[]): Generator<StalePart> {
  for (const transcript of stale) {
    const { path, from, bytes } = transcript;
    for (const part of cutParts({ path, from, to: bytes }, indexPieceBytes)) yield { ...part, transcript };
  }
}

async function takeIn(
  { stale, gone }: UpdatePlan,
  { words, write }: { words: WordIndex; write: Writer },
  { onProgress, signal }: UpdateIndexOptions,
): Promise<number> {
  if (gone.length > 0) write(() => gone.forEach((file) => words.forgetFile(file)));
  const totalBytes = stale.reduce((sum, { from, bytes }) => sum + bytes - from, 0);
  let doneBytes = 0;
  for (const batch of batchParts(partsOf(stale), indexPieceBytes)) {
    signal?.throwIfAborted();
    const prepared: PreparedPart[] = [];
    for (const part of batch) prepared.push(await prepareDocuments(part));
    write(() => batch.forEach((part, index) => addPart(words, part, prepared[index]!)));
    for (const { from, to } of batch) doneBytes += to - from;
    onProgress?.({ doneBytes, totalBytes });
  }
  return doneBytes;
}

function addPart(words: WordIndex, part: StalePart, { documents, to }: PreparedPart): void {
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
