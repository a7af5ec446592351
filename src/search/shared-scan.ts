import { scanBatchBytes } from "./limits.ts";
import { batchParts, cutParts, type TranscriptPart } from "../store/cut-parts.ts";
import { openScanner, type ScanOptions, type ScanRequest, type ScanResult } from "./scan-matches.ts";

/** A scan that several threads take part in. Plain data, because it goes to other threads. */
export interface SharedScan {
  request: ScanRequest;
  batches: readonly (readonly TranscriptPart[])[];
  /** How many batches have been taken, in memory that the threads share. */
  taken: Int32Array<SharedArrayBuffer>;
}

export function shareScan(request: ScanRequest, parts: readonly TranscriptPart[]): SharedScan {
  const pieces = parts.flatMap((part) => cutParts(part, scanBatchBytes));
  const batches = batchParts(pieces, scanBatchBytes);
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
