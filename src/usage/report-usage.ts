import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { holdfastPaths } from "../format/paths.ts";
import { sessionOfAgentFile } from "../store/list/agent-file.ts";
import type { AnyTranscript } from "../store/list/all-transcripts.ts";
import { eachFolderAndArchive, transcriptsAt } from "../store/archive/archived-transcripts.ts";
import { transcriptsOfProject } from "../store/archive/project-transcripts.ts";
import type { IndexTrouble } from "../store/index/derived-index.ts";
import type { PriceOverrides } from "./prices/price.ts";
import type { ScanProgress } from "./read-messages.ts";
import type { UsageGrouping } from "./usage-grouping.ts";
import type { UsageCell } from "./usage-cells.ts";
import { UsageIndex } from "./usage-index.ts";

export interface UsageContext {
  configDir: string;
  home: string;
  /** Dollars for a million tokens that hold before the list prices. */
  prices?: PriceOverrides | undefined;
  onUnreadable?: ((dir: string, error: Error) => void) | undefined;
  /** Told why the index is of no use, where it is not. The answer is right all the same. */
  onIndexTrouble?: ((trouble: IndexTrouble) => void) | undefined;
}

export interface UsageOptions {
  by: UsageGrouping;
  /** From this moment on. */
  since?: Date | undefined;
  /** Up to and including this moment. */
  until?: Date | undefined;
  /** Only of this project: a folder, and every folder inside of it. */
  project?: string | undefined;
  /** Which transcripts are those of tasks; asked for when they are grouped by task. */
  tasks?: readonly TaskTranscript[] | undefined;
  onProgress?: ((progress: ScanProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** The task that wrote a transcript from a moment on. */
export interface TaskTranscript {
  taskId: string;
  path: string;
  startedAt: string;
}

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

/**
 * Tokens and cost of every transcript, each API message once across split lines, forks and copies. Days come in order,
 * everything else by cost. What was counted before is kept in the home and not read again.
 */
export async function reportUsage(context: UsageContext, options: UsageOptions): Promise<UsageReport> {
  const { configDir, home, onUnreadable, onIndexTrouble } = context;
  const { indexDir, archiveDir } = holdfastPaths(home);
  const prices = stampOfPrices(context.prices);
  const index = new UsageIndex(indexDir, { prices, onTrouble: onIndexTrouble });
  try {
    const { by, project } = options;
    const ofFiles = (by !== "day" && by !== "model") || project !== undefined;
    const folders = eachFolderAndArchive({ configDir, archiveDir, onUnreadable });
    const comparison = index.look(folders, { ofFiles });
    // Listed once more by those who need all: to keep them while they are compared takes longer than to compare them.
    const all = (): AnyTranscript[] =>
      [...eachFolderAndArchive({ configDir, archiveDir })].flatMap((folder) => folder.transcripts);
    const at = (paths: ReadonlySet<string>): AnyTranscript[] =>
      transcriptsAt({ configDir, archiveDir }, paths);
    const query = { transcripts: { all, at }, ofFiles };
    const ofMessages = needsMessages(options);
    const isCounted = comparison.isTrusted && comparison.stale.length + comparison.gone.length === 0;
    const kept = isCounted && !ofMessages ? index.cells(query) : undefined;
    // What counts is loaded when there is something to count.
    const count = async (): Promise<UsageCell[]> => {
      const { countUsage } = await import("./count-usage.ts");
      return countUsage(context, options, { ...query, ...comparison, index, ofMessages });
    };
    const cells = kept ?? (await count());
    const isIncluded = dayFilter(options);
    const ofProject =
      project === undefined
        ? undefined
        : transcriptsOfProject({ configDir, archiveDir, indexDir, onUnreadable }, project);
    const isWanted = (transcript: AnyTranscript | undefined): boolean =>
      ofProject === undefined ||
      (transcript !== undefined && ofProject.mayHold(transcript.projectKey) && ofProject.has(transcript));
    return sumRows(
      cells.filter(({ day, transcript }) => isIncluded(day) && isWanted(transcript)),
      by,
    );
  } finally {
    index.close();
  }
}

// The kept sums are by day and transcript; what cuts these apart is counted from the messages.
function needsMessages({ by, since, until }: UsageOptions): boolean {
  const isMidnight = (moment: Date | undefined): boolean =>
    moment === undefined || moment.getTime() % DAY_MS === 0;
  return by === "task" || !isMidnight(since) || !isMidnight(until && new Date(until.getTime() + 1));
}

const DAY_MS = 86_400_000;

function dayFilter({ since, until }: UsageOptions): (day: string) => boolean {
  const [first, last] = [since, until].map((moment) => moment?.toISOString().slice(0, 10));
  if (first === undefined && last === undefined) return () => true;
  return (day) => day !== "unknown" && day >= (first ?? "") && (last === undefined || day <= last);
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

// Another list of prices is another file, whose size says so.
function stampOfPrices(prices: PriceOverrides = {}): string {
  const list = fileURLToPath(import.meta.resolve("@pydantic/genai-prices"));
  return `${fs.statSync(list).size} ${JSON.stringify(prices)}`;
}
