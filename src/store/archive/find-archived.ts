import { codeOf } from "../../lib/errors.ts";
import { matchId } from "../../lib/match-id.ts";
import { ambiguous, findSession, type SessionRef } from "../list/find-session.ts";
import { packedTranscript } from "./archive-manifest.ts";
import {
  archiveStem,
  listCopies,
  readOrTell,
  type ArchiveContext,
  type ArchivedCopy,
} from "./archived-copies.ts";
import { isLive } from "./archived-sessions.ts";

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
  // Named whole or by its path: nothing in the archive could be meant instead.
  if (live && !isPrefixOf(id, live.sessionId)) return live;
  const archived = findInArchive(context, id);
  const found = [...(live ? [live] : []), ...archived];
  if (found.length > 1) throw ambiguous(id, found);
  if (found.length === 0) throw notFound;
  return found[0]!;
}

/** An archived session, and which copy of it is meant. */
export interface FoundArchived extends SessionRef {
  copy: ArchivedCopy;
}

/**
 * The archived sessions that an id, a prefix or `@last` may mean, newest first, without those that are there again; with
 * them, when the copies are given among which to look.
 */
export function findInArchive(
  context: ArchiveContext,
  id: string,
  copies?: readonly ArchivedCopy[],
): FoundArchived[] {
  if (id === "") return [];
  const stem = archiveStem(id).toLowerCase();
  const found = new Map<string, FoundArchived>();
  for (const copy of copies ?? listCopies(context)) {
    if (id !== "@last" && !copy.stem.toLowerCase().startsWith(stem)) continue;
    const manifest = readOrTell(copy.holder, () => copy.readManifest(), context.onUnreadable);
    if (!manifest || (!copies && isLive(manifest, context.configDir))) continue;
    const { sessionId, project: projectKey, items } = manifest;
    const session = { sessionId, projectKey, path: packedTranscript(items), copy };
    if (id === "@last") return [session];
    const key = `${projectKey}/${sessionId}`;
    if (!found.has(key)) found.set(key, session);
  }
  return matchId([...found.values()], id, ({ sessionId }) => sessionId);
}

function isPrefixOf(id: string, sessionId: string): boolean {
  return id.length < sessionId.length && sessionId.toLowerCase().startsWith(id.toLowerCase());
}
