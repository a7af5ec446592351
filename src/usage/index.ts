/**
 * Owns what sessions cost: tokens and dollars of every API message, by day, project, model, session, task and agent.
 * Never writes to a transcript, never asks a network for prices.
 *
 * I1  A message counts once, however many lines, forks and copies tell of it; of its counts the largest holds.
 * I2  What the files do not know is said, not guessed: placeholder counts and models without a price are counted apart.
 * I3  What is kept in the index is compared with every transcript before it is used, and is never needed.
 */
export { readPrices } from "./prices/read-prices.ts";
export { reportUsage, type TaskTranscript, type UsageContext, type UsageOptions } from "./report-usage.ts";
export type { UsageCounts, UsageReport, UsageRow } from "./sum-rows.ts";
export { usageGroupings, type UsageGrouping } from "./usage-grouping.ts";
