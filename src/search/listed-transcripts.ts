import { holdfastPaths } from "../format/paths.ts";
import { isInternalAgent } from "../store/list/agent-file.ts";
import type { AnyTranscript, TranscriptFolder } from "../store/list/all-transcripts.ts";
import type { IndexTrouble } from "../store/index/derived-index.ts";
import type { SearchedTasks } from "./searched-task.ts";
import { eachFolderAndArchive, transcriptsAt } from "../store/archive/archived-transcripts.ts";

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

/**
 * Folder after folder, every transcript that can be searched, those in the archive too; of projects that `wants` accepts. The
 * client's own helpers copy what stands in the transcripts of their sessions, so theirs would only be found again.
 */
export function* eachSearchedFolder(
  { configDir, home, onUnreadable }: SearchContext,
  wants?: (projectKey: string) => boolean,
): Generator<TranscriptFolder> {
  const { archiveDir } = holdfastPaths(home);
  for (const folder of eachFolderAndArchive({ configDir, archiveDir, onUnreadable }, wants)) {
    const isHelpers = ({ agentId }: AnyTranscript): boolean =>
      agentId !== undefined && isInternalAgent(agentId);
    // Most folders hold none, and are handed on as they are.
    if (!folder.transcripts.some(isHelpers)) yield folder;
    else yield { ...folder, transcripts: folder.transcripts.filter((each) => !isHelpers(each)) };
  }
}

/** The same in one list. A session that is archived meanwhile is in it once. */
export function listSearched(
  context: SearchContext,
  wants?: (projectKey: string) => boolean,
): AnyTranscript[] {
  const folders = [...eachSearchedFolder(context, wants)].map(({ transcripts }) => transcripts);
  const archived = folders.pop()!;
  const live = folders.flat();
  if (archived.length === 0) return live;
  const moved = new Set(archived.map(keyOf));
  return [...live.filter((transcript) => !moved.has(keyOf(transcript))), ...archived];
}

/** The transcripts at paths that were listed before, as far as they are still there. */
export function searchedAt({ configDir, home }: SearchContext, paths: ReadonlySet<string>): AnyTranscript[] {
  return transcriptsAt({ configDir, archiveDir: holdfastPaths(home).archiveDir }, paths);
}

function keyOf({ projectKey, sessionId, agentId }: AnyTranscript): string {
  return `${projectKey}/${sessionId ?? ""}/${agentId ?? ""}`;
}
