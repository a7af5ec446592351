import { holdfastPaths } from "../format/paths.ts";
import { transcriptsAt } from "../store/archive/archived-transcripts.ts";
import { loadPrices } from "./prices/price.ts";
import { readMessages } from "./read-messages.ts";
import type { UsageContext } from "./report-usage.ts";
import { sumRows, type UsageReport } from "./sum-rows.ts";
import { sumCells } from "./usage-cells.ts";

/** What some transcripts spent, by model, counted from these files alone: a fork counts its past, too. */
export async function costOfTranscripts(
  { configDir, home, prices }: UsageContext,
  paths: readonly string[],
): Promise<UsageReport> {
  const { archiveDir } = holdfastPaths(home);
  const files = transcriptsAt({ configDir, archiveDir }, new Set(paths)).map((transcript) => ({
    transcript,
    from: 0,
    messages: [],
  }));
  const [priceOf, read] = await Promise.all([loadPrices(prices), readMessages(files, {})]);
  return sumRows(sumCells(read, { priceOf }), "model");
}
