import { scanPieceBytes } from "../format/limits.ts";
import type { TranscriptPart } from "../store/cut-parts.ts";
import { openScanner, type ScanOptions, type ScanRequest, type ScanResult } from "./scan-matches.ts";

/** A scan that several threads take part in. Plain data, because it goes to other threads. */
export interface SharedScan {
  request: ScanRequest;
  batches: readonly (readonly TranscriptPart[])[];
  /** How many batches have been taken, in memory that the threads share. */
  taken: Int32Array<SharedArrayBuffer>;
}

export function shareScan(request: ScanRequest, parts: readonly TranscriptPart[]): SharedScan {
  const batches = shrinkingBatches(parts);
  return { request, batches, taken: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) };
}

/**
 * Looks through the next batch that nobody has taken, until none is left: so no thread waits for another one, and all end
 * at about the same time.
 */
export async function takeBatches(
  { request, batches, taken }: SharedScan,
  options: ScanOptions = {},
): Promise<ScanResult> {
  const scan = openScanner(request, options);
  const found: ScanResult = { matches: [], total: 0 };
  for (;;) {
    await options.giveTurn?.();
    const parts = batches[Atomics.add(taken, 0, 1)];
    if (!parts) return found;
    const { matches, total } = await scan(parts);
    for (const match of matches) found.matches.push(match);
    found.total += total;
  }
}

// Towards the end, a batch is so much of what is left: the last thread that is busy has little to do then.
const SHARE_OF_REST = 1 / 16;
// Parts of this size come before all smaller ones, because no batch is smaller than its largest part.
const LARGE_BYTES = 1 << 20;

function shrinkingBatches(parts: readonly TranscriptPart[]): TranscriptPart[][] {
  const bytesOf = ({ from, to }: TranscriptPart): number => to - from;
  const large = parts.filter((part) => bytesOf(part) >= LARGE_BYTES);
  const small = parts.filter((part) => bytesOf(part) < LARGE_BYTES);
  let rest = parts.reduce((sum, part) => sum + bytesOf(part), 0);
  const batches: TranscriptPart[][] = [];
  let room = 0;
  for (const part of [...large, ...small]) {
    const bytes = bytesOf(part);
    if (bytes > room) {
      batches.push([]);
      room = Math.min(scanPieceBytes, rest * SHARE_OF_REST);
    }
    batches.at(-1)!.push(part);
    room -= bytes;
    rest -= bytes;
  }
  return batches;
}
