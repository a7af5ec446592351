import { redactionBatchLength } from "../../lib/limits.ts";
import type { Entry } from "../../format/entries/entry.ts";
import { cutDepth } from "../../lib/json-text.ts";
import { redactAll } from "../../lib/find-secrets.ts";

export interface Redaction {
  /** How many secrets were taken out so far. */
  count: number;
}

/**
 * The same entries with everything that looks like a secret (keys, tokens, connection strings) replaced by its
 * kind. Works on copies; an entry without secrets is passed on as it is. What has no known form is not found.
 */
export async function* redactSecrets(entries: Iterable<Entry>, redaction: Redaction): AsyncGenerator<Entry> {
  let batch: Entry[] = [];
  let length = 0;
  for (const each of entries) {
    const entry = cutDepth(each);
    batch.push(entry);
    length += textLength(entry);
    if (length < redactionBatchLength) continue;
    yield* await redactTexts(batch, redaction);
    batch = [];
    length = 0;
  }
  yield* await redactTexts(batch, redaction);
}

/** The same values, with the secrets in all their texts replaced. Keys are left as they are. */
export async function redactTexts<Value>(values: Value[], redaction: Redaction): Promise<Value[]> {
  const texts: string[] = [];
  for (const value of values) collectTexts(value, texts);
  const redacted = await redactAll(texts);
  if (!redacted) return values;
  redaction.count += redacted.count;
  const cleaned = redacted.texts.values();
  return values.map((value) => withTexts(value, cleaned) as Value);
}

function textLength(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + textLength(inner), 0);
}

function collectTexts(value: unknown, texts: string[]): void {
  if (typeof value === "string") texts.push(value);
  else if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) collectTexts(inner, texts);
}

/** A copy with the texts replaced, one after the other, in the order in which they were collected. */
function withTexts(value: unknown, texts: Iterator<string>): unknown {
  if (typeof value === "string") return texts.next().value;
  if (Array.isArray(value)) return value.map((inner) => withTexts(inner, texts));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withTexts(inner, texts)]));
}
