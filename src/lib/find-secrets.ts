import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";

/** Where something that looks like a secret stands in a text, and what kind of secret it is. */
export interface Secret {
  start: number;
  end: number;
  kind: string;
}

/**
 * What looks like a secret (keys, tokens, connection strings), in order, those that overlap made one. What has no
 * known form is not found.
 */
export async function findSecrets(text: string): Promise<Secret[]> {
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

const config = {
  rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: creator, options: {} }],
};

/** The texts with each secret replaced by its kind, and how many there were; undefined when there were none. */
export async function redactAll(
  texts: readonly string[],
): Promise<{ texts: string[]; count: number } | undefined> {
  const secrets = await findSecrets(texts.join(TEXT_SEPARATOR));
  return secrets.length === 0 ? undefined : { texts: replaceSecrets(texts, secrets), count: secrets.length };
}

/** A line by itself between texts that are searched together, so that no pattern reaches from one into the next. */
const TEXT_SEPARATOR = "\n\u0000\n";

function replaceSecrets(texts: readonly string[], secrets: readonly Secret[]): string[] {
  let offset = 0;
  return texts.map((text) => {
    const from = offset;
    offset += text.length + TEXT_SEPARATOR.length;
    // From the last to the first, so that earlier places keep their numbers. One that reaches over the end of a
    // text (a key cut in two) is taken out of every text that it touches.
    return secrets
      .filter(({ start, end }) => start < from + text.length && end > from)
      .reduceRight((cleaned, { start, end, kind }) => {
        return `${cleaned.slice(0, Math.max(0, start - from))}[redacted ${kind}]${cleaned.slice(Math.min(text.length, end - from))}`;
      }, text);
  });
}
