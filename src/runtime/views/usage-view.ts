import type { UsageCounts, UsageReport, UsageRow } from "../../usage/sum-rows.ts";
import { usageGroupings, type UsageGrouping } from "../../usage/usage-grouping.ts";

/** What the rows of a report may be. */
export const usageRowKinds: readonly UsageGrouping[] = usageGroupings;

/** A usage report as it leaves the process. */
export interface UsageView {
  by: UsageGrouping;
  rows: UsageRow[];
  totals: UsageCounts;
}

export function usageView(by: UsageGrouping, { rows, totals }: UsageReport): UsageView {
  return { by, rows, totals };
}
