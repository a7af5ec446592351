import { formatDollars, formatTokens, plural } from "../../../lib/quantities.ts";
import type { Runtime } from "../../../runtime/index.ts";

/** What a session has used since it began, its sub-agents included, as a list. */
export async function costText({ usage }: Pick<Runtime, "usage">, sessionId: string): Promise<string> {
  const { rows } = await usage({ by: "session" });
  const row = rows.find(({ key }) => key === sessionId);
  if (!row) return "This conversation has cost nothing yet.";
  const cost = row.costUsd === null ? "unknown" : formatDollars(row.costUsd);
  const unpriced =
    row.unpricedMessages === 0 ? "" : `, without ${plural(row.unpricedMessages, "message")} of unknown price`;
  return [
    `- cost: ${cost}${unpriced}`,
    `- answers: ${row.messages}`,
    `- tokens in: ${formatTokens(row.inputTokens)}, out: ${formatTokens(row.outputTokens)}`,
    `- cache read: ${formatTokens(row.cacheReadTokens)}, written: ${formatTokens(row.cacheCreationTokens)}`,
  ].join("\n");
}
