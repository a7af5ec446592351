import { addLine, usagesOfLine, type MessageUsage } from "../line/message-usage.ts";
import { scanTranscript } from "../line/scan-transcript.ts";

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

/** Tokens of a transcript, each API message once, however many lines it was written in. */
export async function readUsage(file: string): Promise<SessionUsage> {
  const messages = new Map<number, MessageUsage>();
  await scanTranscript(file, (bytes) => {
    for (const each of usagesOfLine(bytes, 0, bytes.length)) addLine(messages, each);
  });
  return total(messages.values());
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
      sum.inputTokens += message.inputTokens;
      sum.outputTokens += message.outputTokens;
      sum.cacheCreationTokens += message.cacheWrite5mTokens + message.cacheWrite1hTokens;
      sum.cacheReadTokens += message.cacheReadTokens;
    }
  }
  return { ...all, byModel: Object.fromEntries(byModel) };
}
