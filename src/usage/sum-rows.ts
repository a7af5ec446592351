import { sessionOfAgentFile } from "../store/list/agent-file.ts";
import type { UsageCell } from "./usage-cells.ts";
import type { UsageGrouping } from "./usage-grouping.ts";

export interface UsageCounts {
  messages: number;
  inputTokens: number;
  outputTokens: number;
  /** Five minutes and an hour together. */
  cacheCreationTokens: number;
  cacheCreation5mTokens: number;
  cacheCreation1hTokens: number;
  cacheReadTokens: number;
  /** Without the messages in `unpricedMessages`; null when nothing has a known price. */
  costUsd: number | null;
  /** Messages whose model has no known price. */
  unpricedMessages: number;
  /** Messages whose output is only the placeholder of a stream: the true count is higher and not in the file. */
  placeholderMessages: number;
}

export interface UsageRow extends UsageCounts {
  /** A UTC day, a project's folder name, a model, a session id, a task id or an agent id. */
  key: string;
}

export interface UsageReport {
  rows: UsageRow[];
  totals: UsageCounts;
}

const MAIN_AGENT = "main";
const INLINE_AGENTS = "inline";

function keyOf({ day, model, isSidechain, transcript, task }: UsageCell, by: UsageGrouping): string {
  switch (by) {
    case "day":
      return day;
    case "model":
      return model;
    case "project":
      return transcript!.projectKey;
    case "session":
      return transcript!.sessionId ?? sessionOfAgentFile(transcript!.path) ?? "unknown";
    case "task":
      return task!;
    case "agent":
      return transcript!.agentId ?? (isSidechain ? INLINE_AGENTS : MAIN_AGENT);
  }
}

/** Cells as the rows of a report. Days come in order, everything else by cost. */
export function sumRows(cells: readonly UsageCell[], by: UsageGrouping): UsageReport {
  const rows = new Map<string, UsageRow>();
  const totals = noCounts();
  for (const cell of cells) {
    const key = keyOf(cell, by);
    const row = rows.get(key) ?? { key, ...noCounts() };
    rows.set(key, row);
    addCell(row, cell);
    addCell(totals, cell);
  }
  const inOrder = [...rows.values()].sort((a, b) =>
    by === "day" ? compare(a.key, b.key) : (b.costUsd ?? 0) - (a.costUsd ?? 0) || compare(a.key, b.key),
  );
  return { rows: inOrder, totals };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function noCounts(): UsageCounts {
  return {
    messages: 0,
    inputTokens: 0,
    outputTokens: 0,
    cacheCreationTokens: 0,
    cacheCreation5mTokens: 0,
    cacheCreation1hTokens: 0,
    cacheReadTokens: 0,
    costUsd: null,
    unpricedMessages: 0,
    placeholderMessages: 0,
  };
}

function addCell(counts: UsageCounts, cell: UsageCell): void {
  counts.messages += cell.messages;
  counts.inputTokens += cell.inputTokens;
  counts.outputTokens += cell.outputTokens;
  counts.cacheCreationTokens += cell.cacheWrite5mTokens + cell.cacheWrite1hTokens;
  counts.cacheCreation5mTokens += cell.cacheWrite5mTokens;
  counts.cacheCreation1hTokens += cell.cacheWrite1hTokens;
  counts.cacheReadTokens += cell.cacheReadTokens;
  counts.unpricedMessages += cell.unpriced;
  counts.placeholderMessages += cell.placeholders;
  if (cell.unpriced < cell.messages) counts.costUsd = (counts.costUsd ?? 0) + cell.costUsd;
}
