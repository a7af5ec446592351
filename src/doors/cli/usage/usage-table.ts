import { terminalLine } from "../../../lib/terminal-text.ts";
import type { UsageCounts, UsageRow } from "../../../usage/sum-rows.ts";
import type { UsageGrouping } from "../../../usage/usage-grouping.ts";
import type { Environment } from "../environment.ts";
import { formatCount, formatDollars, formatTokens } from "../../../lib/quantities.ts";
import { renderTable, type TableColumn } from "../render/table.ts";

export interface UsageTableOptions {
  by: UsageGrouping;
  rows: readonly UsageRow[];
  totals: UsageCounts;
  names: ReadonlyMap<string, string>;
  environment: Environment;
}

const TOTAL = "total";

/** Rows with a total below and, where there is room, a bar each for its cost. */
export function usageTable({ by, rows, totals, names, environment }: UsageTableOptions): Iterable<string> {
  const { stdout } = environment;
  const most = Math.max(...rows.map(weightOf));
  const columns: TableColumn<UsageRow>[] = [
    {
      title: by.toUpperCase(),
      value: ({ key }) => (by === "project" && names.get(key)) || shortKey(by, terminalLine(key)),
      widthMin: 22,
      isPath: by === "project",
      paint: (text) => (text === TOTAL ? "bold" : "cyan"),
    },
    { title: "MSGS", value: ({ messages }) => formatCount(messages), isRight: true, dropOrder: 4 },
    { title: "INPUT", value: ({ inputTokens }) => formatTokens(inputTokens), isRight: true, dropOrder: 3 },
    { title: "OUTPUT", value: outputText, isRight: true, dropOrder: 1 },
    {
      title: "CACHE+",
      value: ({ cacheCreationTokens }) => formatTokens(cacheCreationTokens),
      isRight: true,
      dropOrder: 5,
    },
    {
      title: "CACHED",
      value: ({ cacheReadTokens }) => formatTokens(cacheReadTokens),
      isRight: true,
      dropOrder: 6,
    },
    { title: "COST", value: costText, isRight: true },
    ...(stdout.isTerminal || stdout.columns !== Infinity
      ? [
          {
            title: "SHARE",
            value: (row: UsageRow) => (row.key === TOTAL ? "" : bar(weightOf(row) / most)),
            widthMin: BAR_CELLS,
            dropOrder: 7,
            paint: "green" as const,
          },
        ]
      : []),
    {
      title: "WHAT",
      value: ({ key }) => (by === "project" ? "" : (names.get(key) ?? "")),
      widthMin: 12,
      dropOrder: 2,
      paint: "dim",
    },
  ];
  return renderTable([...rows, { key: TOTAL, ...totals }], columns, stdout);
}

// Where nothing has a price, tokens tell the large from the small.
function weightOf(row: UsageRow): number {
  return row.costUsd ?? (row.inputTokens + row.outputTokens) / 1e9;
}

// A session's id is known by its beginning; the rest is only length.
function shortKey(by: UsageGrouping, key: string): string {
  return by === "session" && /^[0-9a-f]{8}-/.test(key) ? key.slice(0, 8) : key;
}

function outputText({ outputTokens, placeholderMessages }: UsageRow): string {
  return `${placeholderMessages > 0 ? "~" : ""}${formatTokens(outputTokens)}`;
}

function costText({ costUsd, unpricedMessages }: UsageRow): string {
  if (costUsd === null) return "?";
  return `${unpricedMessages > 0 ? ">" : ""}${formatDollars(costUsd)}`;
}

const BAR_CELLS = 16;
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

function bar(share: number): string {
  const eighths = Number.isFinite(share) ? Math.max(share > 0 ? 1 : 0, Math.round(share * BAR_CELLS * 8)) : 0;
  return "█".repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]!;
}
