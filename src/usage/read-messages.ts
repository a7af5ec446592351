import { scanPieceBytes, scanThreadBytesMin } from "../store/limits.ts";
import { runOnThreads, threadProgram } from "../lib/thread-pool.ts";
import type { AnyTranscript } from "../store/list/all-transcripts.ts";
import { batchParts, bytesOf, cutParts } from "../store/line/cut-parts.ts";
import type { FileCoverage } from "../store/index/file-coverage.ts";
import { addLine, type MessageUsage } from "../store/line/message-usage.ts";
import { packMessages, unpackMessages } from "./packed-messages.ts";
import { type ScanPart, type ScannedPart, scanUsage } from "./scan-usage.ts";

/** A transcript with its messages. */
export interface CountedFile {
  transcript: AnyTranscript;
  messages: MessageUsage[];
}

/** A transcript of which bytes are to be read, from `from` on. Its messages are those before them. */
export interface StaleFile extends CountedFile {
  from: number;
}

/** A transcript that was read, and the state of it that the messages are of. */
export interface ReadFile extends CountedFile {
  coverage: FileCoverage;
  packed: string;
}

export interface ScanProgress {
  doneBytes: number;
  totalBytes: number;
}

export interface ReadMessagesOptions {
  onProgress?: ((progress: ScanProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

interface FileJob extends ScanPart {
  /** Its number, and that of the part, because parts come back in any order. */
  file: number;
  part: number;
}

/** Reads the messages of transcripts, on all cores. Files that vanish meanwhile are left out. */
export async function readMessages(
  files: readonly StaleFile[],
  { onProgress, signal }: ReadMessagesOptions,
): Promise<ReadFile[]> {
  const jobs = files.flatMap(jobsOf);
  const parts = files.map((): ScannedPart[] => []);
  const totalBytes = bytesOf(jobs);
  let doneBytes = 0;
  await runOnThreads<FileJob[], ScannedPart[]>([...batchParts(jobs, scanPieceBytes)], {
    program: threadProgram("usage-worker", import.meta.url),
    here: scanUsage,
    ...(totalBytes < scanThreadBytesMin && { threads: 1 }),
    onResult: (batch, found) => {
      batch.forEach(({ file, part }, index) => (parts[file]![part] = found[index]!));
      doneBytes += bytesOf(batch);
      onProgress?.({ doneBytes, totalBytes });
    },
    signal,
  });
  return files.flatMap((file, index) => joinParts(file, parts[index]!) ?? []);
}

// A large file is cut, so that several threads read it.
function jobsOf({ transcript: { path, bytes }, from }: StaleFile, file: number): FileJob[] {
  const parts = cutParts({ path, from, to: bytes }, scanPieceBytes);
  return parts.map((part, at) => Object.assign(part, { file, part: at, isLast: at === parts.length - 1 }));
}

function joinParts(file: StaleFile, parts: readonly ScannedPart[]): ReadFile | undefined {
  const { path, bytes, mtimeMs, inode } = file.transcript;
  const fingerprints = parts.at(-1)?.fingerprints;
  if (!fingerprints) return undefined;
  const read = {
    transcript: file.transcript,
    coverage: { inode, to: bytes, size: bytes, mtimeMs, ...fingerprints },
  };
  const unpacked = parts.map((part) => unpackMessages(path, part.messages)!);
  if (parts.length === 1 && file.from === 0)
    return { ...read, messages: unpacked[0]!, packed: parts[0]!.messages };
  const messages = new Map<number, MessageUsage>();
  for (const message of [file.messages, ...unpacked].flat()) addLine(messages, message);
  return { ...read, messages: [...messages.values()], packed: packMessages(path, messages.values()) };
}
