import { redactionBatchLength } from "../lib/limits.ts";
import { mayHoldSecret } from "../lib/may-hold-secret.ts";

/**
 * The texts that are searched, of documents given by their blocks, without what looks like a secret. Whole blocks are
 * looked at, before they are cut, because half a key is a secret, too. Nearly all texts pass at the first look.
 */
export async function redactBlocks(
  documents: readonly (readonly string[])[],
): Promise<(readonly string[])[]> {
  const clean = [...documents];
  let batch: number[] = [];
  let length = 0;
  for (const [index, blocks] of documents.entries()) {
    if (!blocks.some(mayHoldSecret)) continue;
    batch.push(index);
    length += blocks.reduce((sum, block) => sum + block.length, 0);
    if (length < redactionBatchLength) continue;
    await redactBatch(clean, batch);
    batch = [];
    length = 0;
  }
  await redactBatch(clean, batch);
  return clean;
}

async function redactBatch(documents: (readonly string[])[], batch: readonly number[]): Promise<void> {
  if (batch.length === 0) return;
  // Loaded when it is first needed: it is large, and most searches meet nothing like a secret.
  const { redactAll } = await import("../lib/find-secrets.ts");
  const redacted = await redactAll(batch.flatMap((index) => documents[index]!));
  if (!redacted) return;
  let from = 0;
  for (const index of batch) {
    const { length } = documents[index]!;
    documents[index] = redacted.texts.slice(from, from + length);
    from += length;
  }
}
