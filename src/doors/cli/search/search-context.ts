import fs from "node:fs";
import { holdfastPaths } from "../../../format/paths.ts";
import type { SearchContext } from "../../../search/listed-transcripts.ts";
import type { CommandContext } from "../command.ts";

/** What a search looks at: every transcript, and every task of the home. */
export async function searchContextOf({
  environment,
  onUnreadable,
  onIndexTrouble,
}: CommandContext): Promise<SearchContext> {
  const { configDir, home } = environment;
  const context = { configDir, home, onUnreadable, onIndexTrouble };
  // Where there never was a task, nothing of tasks need be loaded.
  if (!fs.existsSync(holdfastPaths(home).projectsDir)) return context;
  const { searchedTasks } = await import("../../../runtime/searched-tasks.ts");
  return { ...context, tasks: searchedTasks(home, { onTrouble: onIndexTrouble }) };
}
