import type { SearchContext } from "../search/listed-transcripts.ts";
import type { SearchOptions, SearchResult } from "../search/search-sessions.ts";
import type { IndexUpdate, UpdateIndexOptions } from "../search/update-words.ts";
import type { IndexTrouble } from "../store/index/derived-index.ts";
import type { TaskTranscript, UsageOptions, UsageReport } from "../usage/report-usage.ts";
import type { Agents } from "../agents/open-agents.ts";

/** What can be asked of all sessions and tasks together. */
export interface Finding {
  /** Messages of every session, and tasks, that match; the same with and without an index. Throws `query_invalid`. */
  search(query: string, options?: SearchOptions): Promise<SearchResult>;
  /** Takes what is new into the search index. Throws `conflict` while another process does. */
  updateIndex(options?: UpdateIndexOptions): Promise<IndexUpdate>;
  /** Tokens and cost, each message once. */
  usage(options: Omit<UsageOptions, "tasks">): Promise<UsageReport>;
}

export interface FindingOptions {
  home: string;
  configDir: string;
  agents: Agents;
  onUnreadable: ((dir: string, error: Error) => void) | undefined;
  onIndexTrouble: ((trouble: IndexTrouble) => void) | undefined;
}

/** Search and usage, loaded when they are first asked for, with the tasks of the home beside its sessions. */
export function openFinding(options: FindingOptions): Finding {
  const { home, configDir, agents, onUnreadable, onIndexTrouble } = options;
  const contextOf = async (): Promise<SearchContext> => {
    const { searchedTasks } = await import("./searched-tasks.ts");
    const found = searchedTasks(home, { onTrouble: onIndexTrouble });
    return { home, configDir, onUnreadable, onIndexTrouble, tasks: found };
  };
  return {
    search: async (query, searchOptions) =>
      (await import("../search/search-sessions.ts")).searchSessions(await contextOf(), query, searchOptions),
    updateIndex: async (updateOptions) =>
      (await import("../search/update-index.ts")).updateIndex(await contextOf(), updateOptions),
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
      const context = { home, configDir, onUnreadable, onIndexTrouble, prices: readPrices(home) };
      return reportUsage(context, { ...usageOptions, tasks: transcripts });
    },
  };
}
