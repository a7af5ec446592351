import type { UsageReport, UsageRow } from "../../../usage/sum-rows.ts";
import type { UsageGrouping } from "../../../usage/usage-grouping.ts";

const numbers = [
  "messages",
  "inputTokens",
  "outputTokens",
  "cacheCreationTokens",
  "cacheCreation5mTokens",
  "cacheCreation1hTokens",
  "cacheReadTokens",
  "costUsd",
  "unpricedMessages",
  "placeholderMessages",
] as const;

/** The rows as RFC 4180 has it, with a head line; a cost that nobody knows is empty. Totals are left to the reader. */
export function usageCsv(by: UsageGrouping, { rows }: UsageReport): string {
  const line = (row: UsageRow): string =>
    [cell(row.key), ...numbers.map((name) => (row[name] === null ? "" : String(row[name])))].join(",");
  return [[by, ...numbers].join(","), ...rows.map(line)].map((text) => `${text}\r\n`).join("");
}

// A spreadsheet takes a cell that begins like this for a formula.
function cell(text: string): string {
  const safe = /^[=+@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
