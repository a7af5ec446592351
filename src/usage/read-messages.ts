import fs from "node:fs";
import { scanPieceBytes, scanThreadBytesMin } from "../format/limits.ts";
import { findLineStart } from "../lib/line-scanner.ts";
import { runOnThreads, threadProgram } from "../lib/thread-pool.ts";
import { sessionOfAgentFile } from "../store/agent-file.ts";
import type { AnyTranscript } from "../store/all-transcripts.ts";
import { compareCoverage, coverageOf, type FileCoverage } from "../store/file-coverage.ts";
import { MessageTable, type MessageRows } from "./message-table.ts";
import { openIfThere, scanUsage, type ScanJob } from "./scan-usage.ts";

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
  const totalBytes = jobs.reduce((sum, { from, to }) => sum + to - from, 0);
  let doneBytes = 0;
  await runOnThreads<FileJob, MessageRows>(
    // The largest first, so that all threads end at about the same time.
    jobs.sort((a, b) => b.to - b.from - (a.to - a.from)),
    {
      program: threadProgram("usage-worker", import.meta.url),
      here: scanUsage,
      ...(totalBytes < scanThreadBytesMin && { threads: 1 }),
      onResult: ({ target, from, to }, rows) => {
        targets[target]!.table.addRows(rows, () => {});
        doneBytes += to - from;
        onProgress?.({ doneBytes, totalBytes });
      },
      signal,
    },
  );
  for (const target of targets) {
    const file = cover(target);
    if (file) files.push(file);
  }
  return { files, scannedBytes: totalBytes };
}

/** A transcript that is being read. */
interface Target {
  transcript: AnyTranscript;
  table: MessageTable;
}

interface FileJob extends ScanJob {
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

// A large file is cut at line starts, so that several threads read it.
function addJobs({ transcript, before, targets, jobs }: Planned): void {
  const { path, bytes } = transcript;
  const fd = openIfThere(path);
  if (fd === undefined) return;
  try {
    const table = new MessageTable();
    const target = targets.push({ transcript, table }) - 1;
    let from = 0;
    if (before && compareCoverage(fd, before.coverage) === "grown") {
      table.addRows(before, () => {});
      from = before.coverage.to;
    }
    while (bytes - from > scanPieceBytes * 1.5) {
      const cut = findLineStart(fd, from + scanPieceBytes);
      // A line longer than a piece goes with what follows it.
      if (cut <= from) break;
      jobs.push({ target, path, from, to: cut });
      from = cut;
    }
    jobs.push({ target, path, from, to: bytes });
  } finally {
    fs.closeSync(fd);
  }
}

function cover({ transcript, table }: Target): CountedFile | undefined {
  const { path, projectKey, agentId, bornMs, bytes, mtimeMs, inode } = transcript;
  const fd = openIfThere(path);
  if (fd === undefined) return undefined;
  try {
    return {
      path,
      projectKey,
      sessionId: transcript.sessionId ?? sessionOfAgentFile(path),
      agentId,
      bornMs,
      coverage: coverageOf(fd, { to: bytes, stat: { ino: inode, size: bytes, mtimeMs } }),
      rows: table.rows,
      models: table.models,
    };
  } finally {
    fs.closeSync(fd);
  }
}
