import type { UsageCounts } from "../../usage/sum-rows.ts";

/** What a task, or a session with its sub-agents, used: each message once. */
export interface CostView {
  /** Null when no model has a known price. */
  costUsd: number | null;
  unpricedMessages: number;
  models: (UsageCounts & { model: string })[];
  /** Tokens of the last request: what the model has before it now. Not a sum. */
  contextTokens: number | null;
}
