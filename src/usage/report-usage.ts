import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { holdfastPaths } from "../format/paths.ts";
import type { AnyTranscript } from "../store/list/all-transcripts.ts";
import { eachFolderAndArchive, transcriptsAt } from "../store/archive/archived-transcripts.ts";
import type { ProjectTranscripts } from "../store/archive/project-transcripts.ts";
import type { IndexTrouble } from "../store/index/derived-index.ts";
import type { PriceOverrides } from "./prices/price.ts";
import type { ScanProgress } from "./read-messages.ts";
import type { UsageGrouping } from "./usage-grouping.ts";
import { sumRows, type UsageReport } from "./sum-rows.ts";
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
    const ofProject = project === undefined ? undefined : await projectOf(context, project);
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

// Sessions are listed for it, which takes code that a report of all needs none of.
async function projectOf(
  { configDir, home, onUnreadable }: UsageContext,
  project: string,
): Promise<ProjectTranscripts> {
  const { transcriptsOfProject } = await import("../store/archive/project-transcripts.ts");
  const { archiveDir, indexDir } = holdfastPaths(home);
  return transcriptsOfProject({ configDir, archiveDir, indexDir, onUnreadable }, project);
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

// Another list of prices is another file, whose size says so.
function stampOfPrices(prices: PriceOverrides = {}): string {
  const list = fileURLToPath(import.meta.resolve("@pydantic/genai-prices"));
  return `${fs.statSync(list).size} ${JSON.stringify(prices)}`;
}
