import { holdfastPaths } from "../format/paths.ts";
import { listAllTranscripts, type AnyTranscript } from "../store/all-transcripts.ts";
import type { SearchedTask } from "./searched-task.ts";
import { listArchivedTranscripts } from "../store/archive/archived-transcripts.ts";

export interface SearchContext {
  configDir: string;
  home: string;
  /** Background tasks, which are searched, too; without it they are left as they are. */
  tasks?: readonly SearchedTask[] | undefined;
  /** Told of folders that may not be read. */
  onUnreadable?: ((dir: string, error: Error) => void) | undefined;
}

/** Every transcript that can be searched, those in the archive too; of projects that `wants` accepts. */
export function listSearched(
  { configDir, home, onUnreadable }: SearchContext,
  wants: (projectKey: string) => boolean = () => true,
): AnyTranscript[] {
  const { archiveDir } = holdfastPaths(home);
  const archived = listArchivedTranscripts({ configDir, archiveDir });
  return [
    ...listAllTranscripts(configDir, { wants, ...(onUnreadable && { onUnreadable }) }),
    ...archived.filter(({ projectKey }) => wants(projectKey)),
  ];
}
