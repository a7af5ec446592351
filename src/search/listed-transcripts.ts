import { holdfastPaths } from "../format/paths.ts";
import { listAllTranscripts, type AnyTranscript } from "../store/all-transcripts.ts";
import type { IndexTrouble } from "../store/index/derived-index.ts";
import type { SearchedTasks } from "./searched-task.ts";
import { listArchivedTranscripts } from "../store/archive/archived-transcripts.ts";

export interface SearchContext {
  configDir: string;
  home: string;
  /** Background tasks, which are searched, too; without it they are left as they are. */
  tasks?: SearchedTasks | undefined;
  /** Told of folders that may not be read. */
  onUnreadable?: ((dir: string, error: Error) => void) | undefined;
  /** Told why the index is of no use, so that a search takes longer. */
  onIndexTrouble?: ((trouble: IndexTrouble) => void) | undefined;
}

/** Every transcript that can be searched, those in the archive too; of projects that `wants` accepts. */
export function listSearched(
  { configDir, home, onUnreadable }: SearchContext,
  wants: (projectKey: string) => boolean = () => true,
): AnyTranscript[] {
  const { archiveDir } = holdfastPaths(home);
  const live = listAllTranscripts(configDir, { wants, ...(onUnreadable && { onUnreadable }) });
  // After the others: a session that is archived at this moment is then listed twice rather than not at all.
  const archived = listArchivedTranscripts({ configDir, archiveDir, onUnreadable }).filter(({ projectKey }) =>
    wants(projectKey),
  );
  if (archived.length === 0) return live;
  const moved = new Set(archived.map(keyOf));
  return [...live.filter((transcript) => !moved.has(keyOf(transcript))), ...archived];
}

function keyOf({ projectKey, sessionId, agentId }: AnyTranscript): string {
  return `${projectKey}/${sessionId ?? ""}/${agentId ?? ""}`;
}
