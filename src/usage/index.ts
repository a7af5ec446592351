/**
 * Owns what sessions cost: tokens and dollars of every API message, by day, project, model, session, task and agent.
 * Never writes to a transcript, never asks a network for prices.
 *
 * I1  A message counts once, however many lines, forks and copies repeat it, with the largest of its counts.
 * I2  Unknown values are reported, not guessed: placeholder counts and models without a price are counted separately.
 * I3  Rows of the index are compared with every transcript before they are used, and are never needed.
 */
export { readPrices } from "./prices/read-prices.ts";
export { reportUsage, type TaskTranscript, type UsageContext, type UsageOptions } from "./report-usage.ts";
export type { UsageCounts, UsageReport, UsageRow } from "./sum-rows.ts";
export { usageGroupings, type UsageGrouping } from "./usage-grouping.ts";
