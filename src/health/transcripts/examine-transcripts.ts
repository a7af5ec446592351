import { defectsKeptMax, examineTimeMsMax } from "./limits.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { codeOf } from "../../lib/errors.ts";
import { findLeaseHolder } from "../../lib/lease.ts";
import { sessionOfAgentFile, isInternalAgent } from "../../store/list/agent-file.ts";
import { listAllTranscripts, type AnyTranscript } from "../../store/list/all-transcripts.ts";
import { FileValues } from "../../store/index/file-values.ts";
import type { IndexTrouble } from "../../store/index/derived-index.ts";
import { listClientProcesses } from "../../store/write/client-processes.ts";
import { leasePath } from "../../store/write/transcript-writer.ts";
import { findDefects } from "./find-defects.ts";
import { isDefect, type TranscriptDefect } from "./transcript-defect.ts";

export interface ExaminedTranscript {
  path: string;
  sessionId: string;
  /** A helper of the client itself, whose parents are in another file. */
  linesOnly: boolean;
  /** The process that has it open, a client or one of ours: it is not repaired. */
  ownerPid?: number;
  defects: TranscriptDefect[];
}

export interface ExaminedTranscripts {
  /** Only those with defects. */
  damaged: ExaminedTranscript[];
  examined: number;
  /** Not looked at, because the time was up. */
  unexamined: number;
  /** Not ours to read. */
  unreadable: string[];
}

export interface ExamineOptions {
  configDir: string;
  home: string;
  /** Examines all, however long it takes. */
  isFull?: boolean | undefined;
  timeMsMax?: number | undefined;
  onProgress?: ((progress: { doneBytes: number; totalBytes: number }) => void) | undefined;
  onIndexTrouble?: ((trouble: IndexTrouble) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Looks for defects in every transcript, newest first, within a bounded time. What was found whole or damaged before and
 * has not changed since is remembered, so the next run goes on where this one stopped.
 */
export async function examineTranscripts(options: ExamineOptions): Promise<ExaminedTranscripts> {
  const { indexDir } = holdfastPaths(options.home);
  const known = new FileValues(indexDir, "health", { onTrouble: options.onIndexTrouble });
  try {
    known.readAll();
    const examined = await examineAll(known, options);
    known.keep({ wereAllAsked: true });
    return examined;
  } finally {
    known.close();
  }
}

async function examineAll(values: FileValues, options: ExamineOptions): Promise<ExaminedTranscripts> {
  const { configDir, home, isFull = false, timeMsMax = examineTimeMsMax, onProgress, signal } = options;
  const transcripts = listAllTranscripts(configDir).sort((a, b) => b.mtimeMs - a.mtimeMs);
  const ownerPidOf = ownersOf(configDir, home);
  const totalBytes = transcripts.reduce((sum, { bytes }) => sum + bytes, 0);
  const stopAt = performance.now() + timeMsMax;
  const result: ExaminedTranscripts = { damaged: [], examined: 0, unexamined: 0, unreadable: [] };
  let doneBytes = 0;
  for (const transcript of transcripts) {
    const known = knownDefects(values, transcript);
    if (!known && !isFull && performance.now() > stopAt) result.unexamined++;
    else {
      const ownerPid = known?.length === 0 ? undefined : ownerPidOf(transcript);
      const defects = known ?? (await look(transcript, { isOpen: ownerPid !== undefined, signal }, result));
      // Of an open one some things are not looked for yet.
      if (defects && !known && ownerPid === undefined) keepDefects(values, transcript, defects);
      if (defects && defects.length > 0) result.damaged.push(damagedOf(transcript, defects, ownerPid));
    }
    doneBytes += transcript.bytes;
    onProgress?.({ doneBytes, totalBytes });
  }
  result.examined = transcripts.length - result.unexamined - result.unreadable.length;
  return result;
}

function knownDefects(values: FileValues, transcript: AnyTranscript): TranscriptDefect[] | undefined {
  const kept = values.find(transcript);
  const value = kept?.isCurrent ? kept.value : undefined;
  return Array.isArray(value) && value.every(isDefect) ? value : undefined;
}

// A file that grew is examined anew, so its beginning need not be known again.
function keepDefects(
  values: FileValues,
  { path, inode, bytes, mtimeMs }: AnyTranscript,
  defects: TranscriptDefect[],
): void {
  values.set(path, { inode, size: bytes, mtimeMs, to: 0, head: "", tail: "" }, defects);
}

async function look(
  transcript: AnyTranscript,
  options: { isOpen: boolean; signal: AbortSignal | undefined },
  { unreadable }: ExaminedTranscripts,
): Promise<TranscriptDefect[] | undefined> {
  try {
    const found = await findDefects(transcript.path, { linesOnly: isLinesOnly(transcript), ...options });
    return found.slice(0, defectsKeptMax);
  } catch (error) {
    const code = codeOf(error);
    if (code === "not_a_transcript") unreadable.push(transcript.path);
    // One that was deleted meanwhile has no defects.
    else if (code !== "session_not_found") throw error;
    return undefined;
  }
}

function damagedOf(
  transcript: AnyTranscript,
  defects: TranscriptDefect[],
  ownerPid: number | undefined,
): ExaminedTranscript {
  return {
    path: transcript.path,
    sessionId: sessionOf(transcript),
    linesOnly: isLinesOnly(transcript),
    ...(ownerPid !== undefined && { ownerPid }),
    defects,
  };
}

/** Who has a transcript open: a client that says so, or a process of ours that holds its lease. */
function ownersOf(configDir: string, home: string): (transcript: AnyTranscript) => number | undefined {
  const clients = new Map(listClientProcesses(configDir).map(({ sessionId, pid }) => [sessionId, pid]));
  const { leasesDir } = holdfastPaths(home);
  return (transcript) =>
    clients.get(sessionOf(transcript)) ?? findLeaseHolder(leasePath(leasesDir, transcript.path))?.pid;
}

function sessionOf({ path, sessionId }: AnyTranscript): string {
  return sessionId ?? sessionOfAgentFile(path) ?? "";
}

function isLinesOnly({ agentId }: AnyTranscript): boolean {
  return agentId !== undefined && isInternalAgent(agentId);
}
