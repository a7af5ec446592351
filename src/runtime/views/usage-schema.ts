import { z } from "zod";
import { usageGroupings } from "../../usage/usage-grouping.ts";
import type { UsageView } from "./usage-view.ts";

const counts = z.strictObject({
  messages: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheCreationTokens: z.number(),
  cacheCreation5mTokens: z.number(),
  cacheCreation1hTokens: z.number(),
  cacheReadTokens: z.number(),
  costUsd: z.number().nullable(),
  unpricedMessages: z.number(),
  placeholderMessages: z.number(),
});

export const usageSchema: z.ZodType<UsageView> = z.strictObject({
  by: z.enum(usageGroupings),
  rows: z.array(counts.extend({ key: z.string() })),
  totals: counts,
});
