import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import { redactionBatchLength } from "../../format/limits.ts";
import type { Entry } from "../../format/entries/entry.ts";

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
  for (const entry of entries) {
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
  const found = await findSecrets(texts.join(SEPARATOR));
  if (found.length === 0) return values;
  redaction.count += found.length;
  const cleaned = replaceSecrets(texts, found).values();
  return values.map((value) => withTexts(value, cleaned) as Value);
}

// A line by itself between the texts, so that no pattern reaches from one into the next.
const SEPARATOR = "\n\u0000\n";

interface Secret {
  start: number;
  end: number;
  kind: string;
}

const config = {
  rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: creator, options: {} }],
};

/** Secrets in order, those that overlap made one. */
async function findSecrets(text: string): Promise<Secret[]> {
  // A comment in a source file may tell the linter to look away; what stands in a transcript may not.
  const content = text.replace(/secretlint-(?=disable|enable)/gi, "secretlint_");
  const { messages } = await lintSource({
    source: { filePath: "transcript.txt", content, contentType: "text" },
    options: { config },
  });
  const secrets = messages
    .map(({ range: [start, end], ruleId }) => ({
      start,
      end,
      kind: ruleId.replace(/^.*secretlint-rule-/, ""),
    }))
    .sort((a, b) => a.start - b.start);
  const merged: Secret[] = [];
  for (const secret of secrets) {
    const last = merged.at(-1);
    if (last && secret.start < last.end) last.end = Math.max(last.end, secret.end);
    else merged.push({ ...secret });
  }
  return merged;
}

function replaceSecrets(texts: readonly string[], secrets: readonly Secret[]): string[] {
  let offset = 0;
  return texts.map((text) => {
    const from = offset;
    offset += text.length + SEPARATOR.length;
    // From the last to the first, so that earlier places keep their numbers. One that reaches over the end of a
    // text (a key cut in two) is taken out of every text that it touches.
    return secrets
      .filter(({ start, end }) => start < from + text.length && end > from)
      .reduceRight((cleaned, { start, end, kind }) => {
        return `${cleaned.slice(0, Math.max(0, start - from))}[redacted ${kind}]${cleaned.slice(Math.min(text.length, end - from))}`;
      }, text);
  });
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
