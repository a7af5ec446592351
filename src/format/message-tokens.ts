import { isJsonObject } from "./json-object.ts";

/** Tokens of one API message, as far as they are priced differently. */
export interface MessageTokens {
  inputTokens: number;
  outputTokens: number;
  /** Written to the cache for five minutes. */
  cacheWrite5mTokens: number;
  /** Written to the cache for an hour. */
  cacheWrite1hTokens: number;
  cacheReadTokens: number;
}

/** The counts of a `usage` object. What is missing or no count is 0: gateways leave some out. */
export function tokensOf(usage: unknown): MessageTokens {
  const counts = isJsonObject(usage) ? usage : {};
  const split = isJsonObject(counts["cache_creation"]) ? counts["cache_creation"] : {};
  const cacheWrite1hTokens = count(split["ephemeral_1h_input_tokens"]);
  return {
    inputTokens: count(counts["input_tokens"]),
    outputTokens: count(counts["output_tokens"]),
    // Some versions left the sum at 0 beside a filled split. Others write the sum alone, which means five minutes.
    cacheWrite5mTokens: Math.max(
      count(split["ephemeral_5m_input_tokens"]),
      count(counts["cache_creation_input_tokens"]) - cacheWrite1hTokens,
    ),
    cacheWrite1hTokens,
    cacheReadTokens: count(counts["cache_read_input_tokens"]),
  };
}

/**
 * The counts of a message that came in several lines. Each line repeats them, and they grow while the answer streams, so
 * the largest are true.
 */
export function mergeTokens(one: MessageTokens, other: MessageTokens): MessageTokens {
  return combineTokens(one, other, Math.max);
}

export function combineTokens(
  one: MessageTokens,
  other: MessageTokens,
  by: (a: number, b: number) => number,
): MessageTokens {
  return {
    inputTokens: by(one.inputTokens, other.inputTokens),
    outputTokens: by(one.outputTokens, other.outputTokens),
    cacheWrite5mTokens: by(one.cacheWrite5mTokens, other.cacheWrite5mTokens),
    cacheWrite1hTokens: by(one.cacheWrite1hTokens, other.cacheWrite1hTokens),
    cacheReadTokens: by(one.cacheReadTokens, other.cacheReadTokens),
  };
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
