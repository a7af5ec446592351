import { mergeTokens, tokensOf, type MessageTokens } from "../format/message-tokens.ts";
import { parseJson } from "../lib/read-json.ts";
import { scanTranscript } from "./scan-transcript.ts";
import { LineSkimmer } from "./skim-line.ts";
import type { Range } from "./skimmed-keys.ts";

export interface TokenCounts {
  messages: number;
  inputTokens: number;
  outputTokens: number;
  cacheCreationTokens: number;
  cacheReadTokens: number;
}

export interface SessionUsage extends TokenCounts {
  byModel: Record<string, TokenCounts>;
}

/**
 * Tokens of a transcript, each API message once, however many lines it was written in. Entries that the client made up
 * itself (`<synthetic>`) cost nothing and are not counted.
 */
export async function readUsage(file: string): Promise<SessionUsage> {
  const messages = new Map<string, MessageUsage>();
  const skimmer = new LineSkimmer();
  await scanTranscript(file, (line) => {
    if (!skimmer.skim(line, 0, line.length) || skimmer.usage.start < 0) return;
    if (text(line, skimmer.type) === "assistant") noteUsage(messages, skimmer, line);
  });
  return total(messages.values());
}

interface MessageUsage {
  model: string;
  tokens: MessageTokens;
}

function noteUsage(messages: Map<string, MessageUsage>, skimmer: LineSkimmer, bytes: Buffer): void {
  const model = text(bytes, skimmer.model);
  if (model === "<synthetic>") return;
  const usage = parseJson(bytes.toString("utf8", skimmer.usage.start, skimmer.usage.end));
  if (usage === undefined) return;
  const tokens = tokensOf(usage);
  // Gateways omit the request id; a line without a message id is a message of its own.
  const key =
    skimmer.messageId.start < 0
      ? `line ${messages.size}`
      : `${text(bytes, skimmer.messageId)} ${text(bytes, skimmer.requestId)}`;
  const seen = messages.get(key);
  messages.set(key, seen ? { ...seen, tokens: mergeTokens(seen.tokens, tokens) } : { model, tokens });
}

function total(messages: Iterable<MessageUsage>): SessionUsage {
  const zero = (): TokenCounts => ({
    messages: 0,
    inputTokens: 0,
    outputTokens: 0,
    cacheCreationTokens: 0,
    cacheReadTokens: 0,
  });
  const all = zero();
  const byModel = new Map<string, TokenCounts>();
  for (const { model: name, tokens } of messages) {
    const model = byModel.get(name) ?? zero();
    byModel.set(name, model);
    for (const sum of [all, model]) {
      sum.messages++;
      sum.inputTokens += tokens.inputTokens;
      sum.outputTokens += tokens.outputTokens;
      sum.cacheCreationTokens += tokens.cacheWrite5mTokens + tokens.cacheWrite1hTokens;
      sum.cacheReadTokens += tokens.cacheReadTokens;
    }
  }
  return { ...all, byModel: Object.fromEntries(byModel) };
}

function text(bytes: Buffer, { start, end }: Range): string {
  return start < 0 ? "" : bytes.toString("utf8", start, end);
}
