import { loadPrices } from "../../../lib/price.ts";
import type { MessagePrice } from "./progress-counter.ts";

/** List prices of messages. What is written to the cache counts as kept for five minutes, as it is by default. */
export async function loadMessagePrice(): Promise<MessagePrice> {
  const priceOf = await loadPrices();
  return (model, usage) =>
    priceOf(model, {
      inputTokens: usage.input_tokens,
      outputTokens: usage.output_tokens,
      cacheWrite5mTokens: usage.cache_creation_input_tokens,
      cacheWrite1hTokens: 0,
      cacheReadTokens: usage.cache_read_input_tokens,
    });
}
