import fs from "node:fs";
import { holdfastPaths } from "../format/paths.ts";
import type { IndexState } from "../search/describe-index.ts";
import type { SearchContext } from "../search/listed-transcripts.ts";
import type { SearchOptions, SearchResult } from "../search/search-sessions.ts";
import type { IndexUpdate, UpdateIndexOptions } from "../search/update-words.ts";
import type { IndexTrouble } from "../store/index/derived-index.ts";
import type { TaskTranscript, UsageOptions } from "../usage/report-usage.ts";
import type { UsageReport } from "../usage/sum-rows.ts";
import type { Agents } from "../agents/open-agents.ts";

/** What can be asked of all sessions and tasks together. */
export interface Finding {
  /**
   * Matching messages of every session, and matching tasks. The result is the same with and without an index. Throws
   * `query_invalid`.
   */
  search(query: string, options?: SearchOptions): Promise<SearchResult>;
  /** Adds new messages to the search index. Throws `conflict` while another process does. */
  updateIndex(options?: UpdateIndexOptions): Promise<IndexUpdate>;
  /**
   * Adds the few new messages that a search had to read to the index. What cannot be written is left to the next
   * update.
   */
  keepIndexCurrent(result: SearchResult): Promise<void>;
  /** What the search index holds, and what is missing. */
  indexState(): Promise<IndexState>;
  /** Tokens and cost, each message once. */
  usage(options: Omit<UsageOptions, "tasks">): Promise<UsageReport>;
  /** The same for some transcripts, by model, from these files alone. */
  costOf(transcripts: readonly string[]): Promise<UsageReport>;
}

export interface FindingOptions {
  home: string;
  settingsFile: string;
  configDir: string;
  agents: Agents;
  onUnreadable: ((dir: string, error: Error) => void) | undefined;
  onIndexTrouble: ((trouble: IndexTrouble) => void) | undefined;
}

/** Search and usage, loaded when they are first asked for, with the tasks of the home beside its sessions. */
export function openFinding(options: FindingOptions): Finding {
  const { home, settingsFile, configDir, agents, onUnreadable, onIndexTrouble } = options;
  const contextOf = async (): Promise<SearchContext> => {
    const context = { home, configDir, onUnreadable, onIndexTrouble };
    // Where there never was a task, nothing of tasks need be loaded.
    if (!fs.existsSync(holdfastPaths(home).projectsDir)) return context;
    const { searchedTasks } = await import("./searched-tasks.ts");
    return { ...context, tasks: searchedTasks(home, { onTrouble: onIndexTrouble }) };
  };
  return {
    search: async (query, searchOptions) =>
      (await import("../search/search-sessions.ts")).searchSessions(await contextOf(), query, searchOptions),
    updateIndex: async (updateOptions) =>
      (await import("../search/update-index.ts")).updateIndex(await contextOf(), updateOptions),
    async keepIndexCurrent(result) {
      if (result.unindexed.length === 0) return;
      const { keepIndexCurrent } = await import("../search/keep-index-current.ts");
      await keepIndexCurrent(await contextOf(), result);
    },
    indexState: async () => (await import("../search/describe-index.ts")).describeIndex(await contextOf()),
    async usage(usageOptions) {
      const [{ reportUsage }, { readPrices }] = await Promise.all([
        import("../usage/report-usage.ts"),
        import("../usage/prices/read-prices.ts"),
      ]);
      const transcripts: TaskTranscript[] = [];
      if (usageOptions.by === "task") {
        for (const { record } of await agents.list()) {
          const { id, agent, startedAt } = record;
          if (agent) transcripts.push({ taskId: id, path: agent.transcript.path, startedAt });
        }
      }
      const prices = readPrices({ home, settingsFile });
      const context = { home, configDir, onUnreadable, onIndexTrouble, prices };
      return reportUsage(context, { ...usageOptions, tasks: transcripts });
    },
    async costOf(transcripts) {
      const [{ costOfTranscripts }, { readPrices }] = await Promise.all([
        import("../usage/cost-of-transcripts.ts"),
        import("../usage/prices/read-prices.ts"),
      ]);
      return costOfTranscripts({ home, configDir, prices: readPrices({ home, settingsFile }) }, transcripts);
    },
  };
}
