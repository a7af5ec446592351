import { codeOf } from "../../lib/errors.ts";
import type { StoreContext } from "../session-writer.ts";
import type { ArchivedSession } from "./archived-sessions.ts";
import { listDueSessions, type DueSession } from "./due-sessions.ts";
import { openArchive } from "./open-archive.ts";

export interface KeptSessions {
  periodDays: number;
  kept: ArchivedSession[];
  /** In use just now, or changing; a later run keeps them. */
  postponed: DueSession[];
}

/**
 * The guard: copies every session that the client is about to delete into the archive. The session stays where it is
 * and can be resumed until the client deletes it; from then on its copy is listed, shown and searched in its place.
 */
export async function keepSessions(
  context: StoreContext,
  { onSession }: { onSession?: (session: DueSession) => void } = {},
): Promise<KeptSessions> {
  const { periodDays, sessions } = listDueSessions(context);
  const result: KeptSessions = { periodDays, kept: [], postponed: [] };
  const due = sessions.filter(({ isKept }) => !isKept);
  if (due.length === 0) return result;
  const archive = openArchive(context);
  try {
    for (const session of due) {
      onSession?.(session);
      try {
        result.kept.push(await archive.add(session, { keepsOriginals: true }));
      } catch (error) {
        if (!["session_in_use", "conflict", "session_not_found"].includes(codeOf(error) ?? "")) throw error;
        result.postponed.push(session);
      }
    }
  } finally {
    archive.close();
  }
  return result;
}
