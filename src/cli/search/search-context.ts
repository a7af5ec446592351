import fs from "node:fs";
import { holdfastPaths } from "../../format/paths.ts";
import type { SearchContext } from "../../search/listed-transcripts.ts";
import type { CommandContext } from "../command.ts";

/** What a search looks at: every transcript, and every task of the home. */
export async function searchContextOf({
  environment,
  onUnreadable,
  openTasks,
}: CommandContext): Promise<SearchContext> {
  const { configDir, home } = environment;
  // Where there never was a task, nothing of tasks need be loaded.
  if (!fs.existsSync(holdfastPaths(home).projectsDir)) return { configDir, home, tasks: [], onUnreadable };
  const { searchedTasks } = await import("../../runtime/searched-tasks.ts");
  const tasks = searchedTasks((await openTasks()).list({ all: true }));
  return { configDir, home, tasks, onUnreadable };
}
