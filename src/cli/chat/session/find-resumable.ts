import { projectKey } from "../../../format/paths.ts";
import type { SessionRef, SessionStore } from "../../../store/index.ts";
import { cliError } from "../../errors.ts";

/** The session to go on with: by id or unique prefix, or `@last` of this folder. It must belong to the folder. */
export async function findResumable(
  sessions: SessionStore,
  { id, cwd }: { id: string; cwd: string },
): Promise<SessionRef> {
  const [newest] = id === "@last" ? await sessions.list({ cwd, limit: 1, counts: false }) : [];
  const session = await sessions.find(newest?.sessionId ?? id);
  if (session.projectKey === projectKey(cwd)) return session;
  const { cwd: home } = await sessions.summary(session);
  throw cliError(
    "usage",
    `Cannot resume session "${session.sessionId}" here: it belongs to ${home === undefined ? "another folder" : `"${home}"`}; go there first`,
  );
}
