import { codeOf } from "../../lib/errors.ts";
import { storeError } from "../errors.ts";
import { findSession, type SessionRef } from "../find-session.ts";
import { readArchiveManifest, packedPath } from "./archive-manifest.ts";
import { archiveStem, isLive, listArchiveFolders, type ArchiveContext } from "./archived-sessions.ts";

/** As findSession, also in the archive: a session that is there again is the one meant, not its archived copy. */
export function findAnySession(context: ArchiveContext, id: string): SessionRef {
  let live: SessionRef | undefined;
  let notFound: unknown;
  try {
    live = findSession(context.configDir, id);
  } catch (error) {
    if (codeOf(error) !== "session_not_found") throw error;
    notFound = error;
  }
  // Named whole, by its path or as the newest one there is: nothing in the archive could be meant instead.
  if (live && !isPrefixOf(id, live.sessionId)) return live;
  const archived = findInArchive(context, id);
  const found = [...(live ? [live] : []), ...archived];
  if (found.length > 1) throw ambiguous(id, found);
  if (found.length === 0) throw notFound;
  return found[0]!;
}

/** The archived sessions that an id, a prefix or `@last` may mean, without those that are there again; newest first. */
export function findInArchive(
  context: ArchiveContext,
  id: string,
  { withLive = false }: { withLive?: boolean } = {},
): (SessionRef & { dir: string })[] {
  const wanted = id.toLowerCase();
  if (wanted === "") return [];
  const found = new Map<string, SessionRef & { dir: string }>();
  for (const { dir, stem } of listArchiveFolders(context.archiveDir)) {
    if (id !== "@last" && !stem.toLowerCase().startsWith(archiveStem(wanted))) continue;
    const manifest = readArchiveManifest(dir);
    if (!manifest || (id !== "@last" && !manifest.sessionId.toLowerCase().startsWith(wanted))) continue;
    if (!withLive && isLive(manifest, context.configDir)) continue;
    const { sessionId, project: projectKey } = manifest;
    const key = `${projectKey}/${sessionId}`;
    if (!found.has(key))
      found.set(key, { sessionId, projectKey, path: packedPath(dir, manifest.items[0]!), dir });
    if (id === "@last") break;
  }
  const all = [...found.values()];
  const exact = all.filter(({ sessionId }) => sessionId.toLowerCase() === wanted);
  return exact.length > 0 ? exact : all;
}

export function ambiguous(id: string, found: readonly SessionRef[]): Error {
  return storeError("session_ambiguous", `Cannot choose session "${id}": ${found.length} sessions match`, {
    fields: {
      candidates: found.map(({ sessionId, projectKey, path }) => ({ sessionId, project: projectKey, path })),
    },
  });
}

function isPrefixOf(id: string, sessionId: string): boolean {
  return id.length < sessionId.length && sessionId.toLowerCase().startsWith(id.toLowerCase());
}
