import path from "node:path";
import { isThere } from "../../lib/private-dir.ts";
import type { SessionRef } from "../list/find-session.ts";
import type { ListOptions, SessionSummary } from "../list/list-sessions.ts";
import { byActivity, newestFirst } from "../list/newest-first.ts";
import { isOf, type PlacedSession } from "../list/project-sessions.ts";
import { isArchivedLink, packedTranscript, type ArchiveManifest } from "./archive-manifest.ts";
import { eachManifest, type ArchiveContext, type ArchivedCopy } from "./archived-copies.ts";
import { findManifestOfAny } from "./find-manifest.ts";

/** A session in the archive, as its manifest says. */
export interface ArchivedSession {
  sessionId: string;
  project: string;
  /** The true directory, where it is known. */
  cwd?: string;
  title?: string;
  firstPrompt?: string;
  archivedAt: string;
  updatedAt: string;
  /** Of the transcript and all that came with it. */
  bytes: number;
  storedBytes: number;
  files: number;
  /** The pack that holds it, mostly together with others; in an archive of folders, its folder. */
  pack: string;
  /** The packed transcript: every call that reads a transcript reads it, too. */
  path: string;
  /** The session is also where it was: this is a copy, or it was restored by hand. */
  isLive: boolean;
}

/** The whole archive, newest transcript first; of a session that was archived several times, each. */
export function listArchived(context: ArchiveContext): ArchivedSession[] {
  return [...eachManifest(context)].map(({ copy, manifest }) =>
    archivedOf(copy, manifest, context.configDir),
  );
}

/**
 * Sessions that are only in the archive, the latest activity first, in the form of a list. Reads no more manifests than
 * `limit` asks for, and of a session that was archived several times the newest.
 */
export function listArchivedSummaries(
  context: ArchiveContext,
  { cwd, project, limit = Infinity }: ListOptions = {},
): SessionSummary[] {
  const seen = new Set<string>();
  return newestFirst(eachManifest(context), {
    limit,
    writtenMs: ({ copy }) => copy.modifiedMs,
    look({ manifest }) {
      const key = `${manifest.project}/${manifest.sessionId}`;
      const isSeen = seen.has(key);
      seen.add(key);
      if (isSeen || !isOf(placeOf(manifest), { cwd, project }) || isLive(manifest, context.configDir))
        return undefined;
      return summaryOf(manifest);
    },
  });
}

/** A list with the archived sessions among the others, newest first. */
export function withArchived(
  context: ArchiveContext,
  live: SessionSummary[],
  options: ListOptions = {},
): SessionSummary[] {
  const archived = listArchivedSummaries(context, options);
  if (archived.length === 0) return live;
  return [...live, ...archived].sort(byActivity).slice(0, options.limit);
}

/** The summary of an archived session, also where an agent of it is named; undefined when it is none. */
export function findArchivedSummary(session: Omit<SessionRef, "projectKey">): SessionSummary | undefined {
  const manifest = findManifestOfAny(session);
  return manifest && { ...summaryOf(manifest), path: session.path };
}

function summaryOf({ summary, items }: ArchiveManifest): SessionSummary {
  return { ...summary, path: packedTranscript(items), archived: true };
}

export function archivedOf(
  { holder }: ArchivedCopy,
  manifest: ArchiveManifest,
  configDir: string,
): ArchivedSession {
  const { sessionId, project, archivedAt, storedBytes, summary, items } = manifest;
  return {
    sessionId,
    project,
    ...(summary.cwd !== undefined && { cwd: summary.cwd }),
    ...(summary.title !== undefined && { title: summary.title }),
    ...(summary.firstPrompt !== undefined && { firstPrompt: summary.firstPrompt }),
    archivedAt,
    updatedAt: summary.updatedAt,
    bytes: items.reduce((sum, item) => sum + (isArchivedLink(item) ? 0 : item.bytes), 0),
    storedBytes,
    files: items.length,
    pack: holder,
    path: packedTranscript(items),
    isLive: isLive(manifest, configDir),
  };
}

export function isLive({ items }: ArchiveManifest, configDir: string): boolean {
  return isThere(path.join(configDir, items[0]!.path));
}

function placeOf({ project, summary }: ArchiveManifest): PlacedSession {
  return { project, cwd: summary.cwd };
}
