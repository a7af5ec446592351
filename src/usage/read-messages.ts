import fs from "node:fs";
import type { Worker } from "node:worker_threads";
import { scanPieceBytes, scanThreadBytesMin } from "../format/limits.ts";
import { runOnThreads, threadProgram } from "../lib/thread-pool.ts";
import { sessionOfAgentFile } from "../store/agent-file.ts";
import type { AnyTranscript } from "../store/all-transcripts.ts";
import { isPacked } from "../store/archive/read-packed.ts";
import { batchParts, cutParts } from "../store/cut-parts.ts";
import { compareCoverage, type FileCoverage, type Fingerprints } from "../store/file-coverage.ts";
import { openIfThere } from "../store/open-if-there.ts";
import { MessageTable, ROW_LENGTH, type MessageRows } from "./message-table.ts";
import { type ScanPart, type ScannedParts, scanUsage } from "./scan-usage.ts";

/** A transcript with its messages: what the cache keeps of it. */
export interface CountedFile extends MessageRows {
  path: string;
  projectKey: string;
  sessionId: string | undefined;
  agentId: string | undefined;
  bornMs: number;
  coverage: FileCoverage;
}

export interface ReadMessagesOptions {
  onProgress?: ((progress: ScanProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** Threads that were started already. */
  workers?: readonly Worker[] | undefined;
}

export interface ScanProgress {
  doneBytes: number;
  totalBytes: number;
}

/**
 * The messages of all given transcripts. Of what is known already only new bytes are read, on all cores; a file that
 * changed otherwise is read anew. Files that vanish meanwhile are left out.
 */
export async function readMessages(
  transcripts: readonly AnyTranscript[],
  known: ReadonlyMap<string, CountedFile>,
  { onProgress, signal, workers }: ReadMessagesOptions = {},
): Promise<{ files: CountedFile[]; scannedBytes: number }> {
  const files: CountedFile[] = [];
  const targets: Target[] = [];
  const jobs: FileJob[] = [];
  for (const transcript of transcripts) {
    const before = known.get(transcript.path);
    if (before && isCurrent(before, transcript)) files.push(before);
    else addJobs({ transcript, before, targets, jobs });
  }
  const totalBytes = bytesOf(jobs);
  let doneBytes = 0;
  await runOnThreads<FileJob[], ScannedParts>(batchParts(jobs, scanPieceBytes), {
    program: workers ?? threadProgram("usage-worker", import.meta.url),
    here: scanUsage,
    ...(totalBytes < scanThreadBytesMin && { threads: 1 }),
    onResult: (batch, found) => {
      takePieces(targets, batch, found);
      doneBytes += bytesOf(batch);
      onProgress?.({ doneBytes, totalBytes });
    },
    signal,
  });
  for (const target of targets) {
    const file = cover(target);
    if (file) files.push(file);
  }
  return { files, scannedBytes: totalBytes };
}

function bytesOf(jobs: readonly FileJob[]): number {
  return jobs.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** A transcript that is being read. */
interface Target {
  transcript: AnyTranscript;
  /** What was known of it, and what its parts say. */
  pieces: MessageRows[];
  /** Known when its last part was read; never, when it is gone. */
  fingerprints: Fingerprints | undefined;
}

interface FileJob extends ScanPart {
  /** Its number: the jobs go to other threads, the tables stay here. */
  target: number;
}

function isCurrent({ coverage }: CountedFile, { bytes, mtimeMs, inode }: AnyTranscript): boolean {
  return coverage.inode === inode && coverage.size === bytes && coverage.mtimeMs === mtimeMs;
}

interface Planned {
  transcript: AnyTranscript;
  before: CountedFile | undefined;
  targets: Target[];
  jobs: FileJob[];
}

function addJobs({ transcript, before, targets, jobs }: Planned): void {
  const { path, bytes } = transcript;
  const pieces: MessageRows[] = [];
  const isArchived = isPacked(path);
  // What is in the archive does not change.
  const fingerprints = isArchived ? { head: "", tail: "" } : undefined;
  const target = targets.push({ transcript, pieces, fingerprints }) - 1;
  let from = 0;
  if (before && isGrown(before)) {
    pieces.push(before);
    from = before.coverage.to;
  }
  // A large file is cut, so that several threads read it.
  const parts = cutParts({ path, from, to: bytes }, scanPieceBytes);
  parts.forEach((part, index) => {
    jobs.push({ target, ...part, isLast: index === parts.length - 1 && !isArchived });
  });
}

function takePieces(targets: readonly Target[], batch: readonly FileJob[], found: ScannedParts): void {
  let from = 0;
  for (const [index, { target }] of batch.entries()) {
    const to = from + found.counts[index]! * ROW_LENGTH;
    targets[target]!.pieces.push({ rows: found.rows.subarray(from, to), models: found.models });
    targets[target]!.fingerprints ??= found.fingerprints[index];
    from = to;
  }
}

function isGrown({ path, coverage }: CountedFile): boolean {
  const fd = isPacked(path) ? undefined : openIfThere(path);
  if (fd === undefined) return false;
  try {
    return compareCoverage(fd, coverage) === "grown";
  } finally {
    fs.closeSync(fd);
  }
}

function cover({ transcript, pieces, fingerprints }: Target): CountedFile | undefined {
  const { path, projectKey, agentId, bornMs, bytes, mtimeMs, inode } = transcript;
  return (
    fingerprints && {
      path,
      projectKey,
      sessionId: transcript.sessionId ?? sessionOfAgentFile(path),
      agentId,
      bornMs,
      coverage: { inode, to: bytes, size: bytes, mtimeMs, ...fingerprints },
      ...joinPieces(pieces),
    }
  );
}

function joinPieces(pieces: readonly MessageRows[]): MessageRows {
  const [only, ...others] = pieces;
  if (only && others.length === 0) return { rows: only.rows, models: only.models };
  const table = new MessageTable();
  for (const piece of pieces) table.addRows(piece);
  return { rows: table.rows, models: table.models };
}
