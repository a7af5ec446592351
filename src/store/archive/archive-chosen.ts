import { holdfastPaths } from "../../format/paths.ts";
import { systemClock } from "../../lib/clock.ts";
import type { SessionRef } from "../list/find-session.ts";
import { listSessions, type ListContext, type SessionSummary } from "../list/list-sessions.ts";
import type { StoreContext } from "../write/session-writer.ts";
import type { AddedSessions } from "./archive-sessions.ts";
import { openArchive } from "./open-archive.ts";

/** Which sessions: these, or every one that was last used longer ago. */
export type ArchiveChoice = { sessions: readonly SessionSummary[] } | { olderThanMs: number };

export type ArchiveRequest = ArchiveChoice & {
  /** Only says what would be archived. */
  dryRun?: boolean | undefined;
  onProgress?: ((progress: ArchiveProgress) => void) | undefined;
};

export interface ArchiveProgress {
  doneBytes: number;
  totalBytes: number;
}

export interface ArchiveResult extends AddedSessions {
  /** By age, oldest first. */
  chosen: readonly SessionSummary[];
}

type ChoosingContext = StoreContext & Pick<ListContext, "onUnreadable">;

/** Archives what is chosen. Sessions that somebody has open stay where they are, and are told as skipped. */
export async function archiveChosen(
  context: ChoosingContext,
  { dryRun, onProgress, ...choice }: ArchiveRequest,
): Promise<ArchiveResult> {
  const chosen = "sessions" in choice ? choice.sessions : sessionsOlderThan(context, choice.olderThanMs);
  if (dryRun || chosen.length === 0) return { chosen, archived: [], skipped: [] };
  const refs = chosen.map(({ sessionId, project, path, bytes }) => {
    return { sessionId, projectKey: project, path, bytes };
  });
  return { chosen, ...(await addAll(context, refs, { onProgress })) };
}

function sessionsOlderThan(context: ChoosingContext, olderThanMs: number): SessionSummary[] {
  const { clock = systemClock, home } = context;
  const before = new Date(clock.now().getTime() - olderThanMs).toISOString();
  const live = listSessions({ ...context, ...holdfastPaths(home) }, { counts: false });
  return live.filter(({ updatedAt }) => updatedAt <= before).reverse();
}

/** Opens the archive, adds them, and tells how far it has come of all their bytes. */
export async function addAll(
  context: StoreContext,
  sessions: readonly (SessionRef & { bytes: number })[],
  { keepsOriginals, onProgress }: { keepsOriginals?: boolean } & Pick<ArchiveRequest, "onProgress">,
): Promise<AddedSessions> {
  const totalBytes = sessions.reduce((sum, { bytes }) => sum + bytes, 0);
  let doneBytes = 0;
  const archive = openArchive(context);
  try {
    return await archive.add(sessions, {
      keepsOriginals,
      onProgress: (bytes) => onProgress?.({ doneBytes: (doneBytes += bytes), totalBytes }),
    });
  } finally {
    archive.close();
  }
}
