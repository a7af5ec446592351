import { z } from "zod";
import { maybe } from "./maybe.ts";

/**
 * Token counts of an API message. Lines of a split message repeat or grow them, so key by `message.id` and
 * take the maximum; never add them up. Every key is optional because gateways leave some out.
 */
export interface Usage {
  input_tokens?: number;
  output_tokens?: number;
  cache_creation_input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  /** May be non-zero while `cache_creation_input_tokens` is 0 (fixed in client 2.1.152). */
  cache_creation?: { ephemeral_5m_input_tokens?: number; ephemeral_1h_input_tokens?: number } | null;
  service_tier?: string | null;
}

const tokenCount = z.number().nonnegative();

export const usageSchema: z.ZodType<Usage> = z.looseObject({
  ...maybe(tokenCount, "input_tokens", "output_tokens"),
  cache_creation_input_tokens: tokenCount.nullable().exactOptional(),
  cache_read_input_tokens: tokenCount.nullable().exactOptional(),
  cache_creation: z
    .looseObject(maybe(tokenCount, "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"))
    .nullable()
    .exactOptional(),
  service_tier: z.string().nullable().exactOptional(),
});
