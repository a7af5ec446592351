/** What a row of a report is. */
export const usageGroupings = ["day", "project", "model", "session", "task", "agent"] as const;
export type UsageGrouping = (typeof usageGroupings)[number];
