import { defectsKeptMax, examineTimeMsMax } from "../../format/limits.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { codeOf } from "../../lib/errors.ts";
import { sessionOfAgentFile, isInternalAgent } from "../../store/agent-file.ts";
import { listAllTranscripts, type AnyTranscript } from "../../store/all-transcripts.ts";
import { listClientProcesses } from "../../store/client-processes.ts";
import { findDefects } from "./find-defects.ts";
import { HealthCache } from "./health-cache.ts";
import type { TranscriptDefect } from "./transcript-defect.ts";

export interface ExaminedTranscript {
  path: string;
  sessionId: string;
  /** A helper of the client itself, whose parents are in another file. */
  linesOnly: boolean;
  /** The client's process that has the session open: it is not repaired. */
  ownerPid?: number;
  defects: TranscriptDefect[];
}

export interface ExaminedTranscripts {
  /** Only those with defects. */
  damaged: ExaminedTranscript[];
  examined: number;
  /** Not looked at, because the time was up. */
  unexamined: number;
}

export interface ExamineOptions {
  configDir: string;
  home: string;
  /** Examines all, however long it takes. */
  isFull?: boolean | undefined;
  timeMsMax?: number | undefined;
  onProgress?: ((progress: { doneBytes: number; totalBytes: number }) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Looks for defects in every transcript, newest first, within a bounded time. What was found whole or damaged before and
 * has not changed since is remembered, so the next run goes on where this one stopped.
 */
export async function examineTranscripts(options: ExamineOptions): Promise<ExaminedTranscripts> {
  const { configDir, home, isFull = false, timeMsMax = examineTimeMsMax, onProgress, signal } = options;
  const transcripts = listAllTranscripts(configDir).sort((a, b) => b.mtimeMs - a.mtimeMs);
  const owners = new Map(listClientProcesses(configDir).map(({ sessionId, pid }) => [sessionId, pid]));
  const cache = new HealthCache(holdfastPaths(home).indexDir);
  const totalBytes = transcripts.reduce((sum, { bytes }) => sum + bytes, 0);
  const stopAt = performance.now() + timeMsMax;
  const result: ExaminedTranscripts = { damaged: [], examined: 0, unexamined: 0 };
  let doneBytes = 0;
  for (const transcript of transcripts) {
    const known = cache.find(transcript);
    if (!known && !isFull && performance.now() > stopAt) result.unexamined++;
    else {
      const defects = known ?? (await look(transcript, { owners, signal }));
      result.examined++;
      // Of an open session some things are not looked for yet.
      if (defects && !known && !owners.has(ownerOf(transcript))) cache.set(transcript, defects);
      if (defects && defects.length > 0) result.damaged.push(examined(transcript, defects, owners));
    }
    doneBytes += transcript.bytes;
    onProgress?.({ doneBytes, totalBytes });
  }
  cache.keep(new Set(transcripts.map(({ path }) => path)));
  return result;
}

async function look(
  transcript: AnyTranscript,
  { owners, signal }: { owners: Map<string, number>; signal: AbortSignal | undefined },
): Promise<TranscriptDefect[] | undefined> {
  try {
    const isOpen = owners.has(ownerOf(transcript));
    const found = await findDefects(transcript.path, { linesOnly: isLinesOnly(transcript), isOpen, signal });
    return found.slice(0, defectsKeptMax);
  } catch (error) {
    // Deleted meanwhile, or not ours to read: the list says so, and other checks do.
    if (["session_not_found", "not_a_transcript"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}

function examined(
  transcript: AnyTranscript,
  defects: TranscriptDefect[],
  owners: Map<string, number>,
): ExaminedTranscript {
  const sessionId = ownerOf(transcript);
  const ownerPid = owners.get(sessionId);
  return {
    path: transcript.path,
    sessionId,
    linesOnly: isLinesOnly(transcript),
    ...(ownerPid !== undefined && { ownerPid }),
    defects,
  };
}

function ownerOf({ path, sessionId }: AnyTranscript): string {
  return sessionId ?? sessionOfAgentFile(path) ?? "";
}

function isLinesOnly({ agentId }: AnyTranscript): boolean {
  return agentId !== undefined && isInternalAgent(agentId);
}
