import fs from "node:fs";
import { lineBytesMax } from "../format/limits.ts";
import { LineScanner } from "../lib/line-scanner.ts";
import { openTranscriptFile } from "./open-transcript.ts";
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
 * Tokens of a transcript, each API message once: the client writes one line a content block and repeats the
 * counts on each, growing as the answer streams, so of all lines with one message id the maximum is true.
 * Entries that the client made up itself (`<synthetic>`) cost nothing and are not counted.
 */
export function readUsage(file: string): SessionUsage {
  const fd = openTranscriptFile(file);
  try {
    const messages = new Map<string, MessageUsage>();
    const skimmer = new LineSkimmer();
    const scanner = new LineScanner(fd, { from: 0, to: fs.fstatSync(fd).size, lineBytesMax });
    const visit = (bytes: Buffer, start: number, end: number): void => {
      if (!skimmer.skim(bytes, start, end) || skimmer.usage.start < 0) return;
      if (text(bytes, skimmer.type) === "assistant") noteUsage(messages, skimmer, bytes);
    };
    while (scanner.next(visit)) {
      /* one chunk a step */
    }
    return total(messages.values());
  } finally {
    fs.closeSync(fd);
  }
}

interface MessageUsage extends Omit<TokenCounts, "messages"> {
  model: string;
}

interface ApiUsage {
  input_tokens?: number;
  output_tokens?: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
  cache_creation?: { ephemeral_5m_input_tokens?: number; ephemeral_1h_input_tokens?: number };
}

function noteUsage(messages: Map<string, MessageUsage>, skimmer: LineSkimmer, bytes: Buffer): void {
  const model = text(bytes, skimmer.model);
  if (model === "<synthetic>") return;
  const usage = parseUsage(bytes.toString("utf8", skimmer.usage.start, skimmer.usage.end));
  if (usage === undefined) return;
  // Gateways omit the request id; a line without a message id is a message of its own.
  const key =
    skimmer.messageId.start < 0
      ? `line ${messages.size}`
      : `${text(bytes, skimmer.messageId)} ${text(bytes, skimmer.requestId)}`;
  const seen = messages.get(key);
  if (seen === undefined) messages.set(key, { model, ...usage });
  else for (const name of countNames) seen[name] = Math.max(seen[name], usage[name]);
}

const countNames = ["inputTokens", "outputTokens", "cacheCreationTokens", "cacheReadTokens"] as const;

function parseUsage(json: string): Omit<MessageUsage, "model"> | undefined {
  let usage: ApiUsage;
  try {
    usage = JSON.parse(json) as ApiUsage;
  } catch {
    return undefined;
  }
  const nested =
    count(usage.cache_creation?.ephemeral_5m_input_tokens) +
    count(usage.cache_creation?.ephemeral_1h_input_tokens);
  return {
    inputTokens: count(usage.input_tokens),
    outputTokens: count(usage.output_tokens),
    // Some versions left the sum at 0 beside a filled split.
    cacheCreationTokens: Math.max(count(usage.cache_creation_input_tokens), nested),
    cacheReadTokens: count(usage.cache_read_input_tokens),
  };
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
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
  for (const message of messages) {
    const model = byModel.get(message.model) ?? zero();
    byModel.set(message.model, model);
    for (const sum of [all, model]) {
      sum.messages++;
      for (const name of countNames) sum[name] += message[name];
    }
  }
  return { ...all, byModel: Object.fromEntries(byModel) };
}

function text(bytes: Buffer, { start, end }: Range): string {
  return start < 0 ? "" : bytes.toString("utf8", start, end);
}
