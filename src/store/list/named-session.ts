import fs from "node:fs";
import { configPaths, isSafeName } from "../../format/paths.ts";
import { namesIn } from "../../lib/names-in.ts";
import type { ArchiveContext } from "../archive/archived-copies.ts";
import { findInArchive } from "../archive/find-archived.ts";
import { storeError } from "../errors.ts";
import { ambiguous, type SessionRef } from "./find-session.ts";

/**
 * The session with this whole id, also in the archive: neither a prefix nor a path, so that who may name sessions cannot name
 * files. Where two projects have it, `project` says which. Throws `session_not_found` or `session_ambiguous`.
 */
export function namedSession(
  context: ArchiveContext,
  { sessionId, project }: { sessionId: string; project?: string | undefined },
): SessionRef {
  const isOne = isSafeName(sessionId) && (project === undefined || isSafeName(project));
  const live = isOne ? liveSessions(context.configDir, sessionId, project) : [];
  const found = live.length > 0 || !isOne ? live : archivedSessions(context, sessionId, project);
  if (found.length > 1) throw ambiguous(sessionId, found);
  if (found[0]) return found[0];
  throw storeError("session_not_found", `Cannot find session "${sessionId}": no session has this id`, {
    fields: { id: sessionId, near: [] },
  });
}

function liveSessions(configDir: string, sessionId: string, project: string | undefined): SessionRef[] {
  const paths = configPaths(configDir);
  const projects = project === undefined ? namesIn(paths.projectsDir).filter(isSafeName).sort() : [project];
  return projects.flatMap((projectKey): SessionRef[] => {
    const path = paths.transcriptPath({ projectKey, sessionId });
    return fs.existsSync(path) ? [{ sessionId, projectKey, path }] : [];
  });
}

function archivedSessions(
  context: ArchiveContext,
  sessionId: string,
  project: string | undefined,
): SessionRef[] {
  return findInArchive(context, sessionId)
    .filter((found) => found.sessionId === sessionId && (project ?? found.projectKey) === found.projectKey)
    .map(({ projectKey, path }) => ({ sessionId, projectKey, path }));
}
