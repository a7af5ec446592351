import { projectKey } from "../../format/paths.ts";
import { storeError } from "../../store/errors.ts";
import type { SessionRef, SessionStore } from "../../store/index.ts";
import { isSessionPresent } from "../../store/write/session-presence.ts";

/**
 * The session to go on with: by id or unique prefix, or `@last` of this folder, else of its project. It must belong to the
 * folder, and nobody may talk in it.
 */
export async function findResumable(
  sessions: SessionStore,
  { id, cwd }: { id: string; cwd: string },
): Promise<SessionRef> {
  const [newest] = id === "@last" ? await sessions.list({ cwd, limit: 1, counts: false }) : [];
  const session = newest
    ? { sessionId: newest.sessionId, projectKey: newest.project, path: newest.path }
    : await sessions.find(id, { project: await sessions.projectOf(cwd) });
  if (isSessionPresent(sessions, session.sessionId)) {
    const message = `Cannot resume session "${session.sessionId}": it is already open`;
    throw storeError("session_in_use", message, {
      retryable: true,
      fields: { sessionId: session.sessionId },
    });
  }
  if (session.projectKey === projectKey(cwd)) return session;
  const { cwd: home } = await sessions.summary(session);
  throw storeError(
    "session_elsewhere",
    `Cannot resume session "${session.sessionId}" here: it belongs to ${home === undefined ? "another folder" : `"${home}"`}; go there first`,
  );
}
