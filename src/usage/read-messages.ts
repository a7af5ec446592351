import fs from "node:fs";
import { scanPieceBytes, scanThreadBytesMin } from "../format/limits.ts";
import { runOnThreads, threadProgram } from "../lib/thread-pool.ts";
import { sessionOfAgentFile } from "../store/agent-file.ts";
import type { AnyTranscript } from "../store/all-transcripts.ts";
import { isPacked } from "../store/archive/read-packed.ts";
import { batchParts, cutParts, type TranscriptPart } from "../store/cut-parts.ts";
import { compareCoverage, coverageOf, type FileCoverage } from "../store/file-coverage.ts";
import { openIfThere } from "../store/open-if-there.ts";
import { MessageTable, type MessageRows } from "./message-table.ts";
import { scanUsage } from "./scan-usage.ts";

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
  { onProgress, signal }: ReadMessagesOptions = {},
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
  await runOnThreads<FileJob[], MessageRows[]>(batchParts(jobs, scanPieceBytes), {
    program: threadProgram("usage-worker", import.meta.url),
    here: scanUsage,
    ...(totalBytes < scanThreadBytesMin && { threads: 1 }),
    onResult: (batch, found) => {
      batch.forEach(({ target }, index) => targets[target]!.pieces.push(found[index]!));
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
}

interface FileJob extends TranscriptPart {
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
  const target = targets.push({ transcript, pieces }) - 1;
  let from = 0;
  if (before && isGrown(before)) {
    pieces.push(before);
    from = before.coverage.to;
  }
  // A large file is cut, so that several threads read it.
  for (const part of cutParts({ path, from, to: bytes }, scanPieceBytes)) jobs.push({ target, ...part });
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

function cover({ transcript, pieces }: Target): CountedFile | undefined {
  const { path, projectKey, agentId, bornMs } = transcript;
  const coverage = coverageOfTranscript(transcript);
  return (
    coverage && {
      path,
      projectKey,
      sessionId: transcript.sessionId ?? sessionOfAgentFile(path),
      agentId,
      bornMs,
      coverage,
      ...joinPieces(pieces),
    }
  );
}

function joinPieces(pieces: readonly MessageRows[]): MessageRows {
  const [only, ...others] = pieces;
  if (only && others.length === 0) return { rows: only.rows, models: only.models };
  const table = new MessageTable();
  for (const piece of pieces) table.addRows(piece, () => {});
  return { rows: table.rows, models: table.models };
}

function coverageOfTranscript({ path, bytes, mtimeMs, inode }: AnyTranscript): FileCoverage | undefined {
  // What is in the archive does not change.
  if (isPacked(path)) return { inode, to: bytes, size: bytes, mtimeMs, head: "", tail: "" };
  const fd = openIfThere(path);
  if (fd === undefined) return undefined;
  try {
    return coverageOf(fd, { to: bytes, stat: { ino: inode, size: bytes, mtimeMs } });
  } finally {
    fs.closeSync(fd);
  }
}
