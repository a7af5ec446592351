import fs from "node:fs";
import path from "node:path";
import { projectKeyMatches } from "../../format/paths.ts";
import { codeOf } from "../../lib/errors.ts";
import type { ListOptions, SessionSummary } from "../list-sessions.ts";
import { isPacked } from "./read-packed.ts";
import { isArchivedLink, packedPath, readArchiveManifest, type ArchiveManifest } from "./archive-manifest.ts";

/** A session in the archive, as its manifest says. */
export interface ArchivedSession {
  sessionId: string;
  project: string;
  title?: string;
  archivedAt: string;
  updatedAt: string;
  /** Of the transcript and all that came with it. */
  bytes: number;
  storedBytes: number;
  files: number;
  /** The folder that holds it. */
  dir: string;
  /** The packed transcript: every call that reads a transcript reads it, too. */
  path: string;
  /** The session is also where it was: this is a copy, or it was restored by hand. */
  isLive: boolean;
}

export interface ArchiveContext {
  configDir: string;
  archiveDir: string;
}

/** What the name of a folder in the archive says, before anything of it is read. */
export interface ArchiveFolder {
  dir: string;
  /** The session id, as far as a file name holds it. */
  stem: string;
  /** When the transcript was last written to. */
  modifiedMs: number;
}

const STEM_LENGTH_MAX = 100;

export function archiveFolderName(
  sessionId: string,
  { modifiedMs, unique }: { modifiedMs: number; unique: string },
): string {
  return `${archiveStem(sessionId)}.${Math.round(modifiedMs).toString(36)}-${unique}`;
}

export function archiveStem(sessionId: string): string {
  return sessionId.slice(0, STEM_LENGTH_MAX);
}

/** Every folder of the archive, newest transcript first. */
export function listArchiveFolders(archiveDir: string): ArchiveFolder[] {
  // Most have none, and to make an error of it would take longer than to look.
  if (!fs.existsSync(archiveDir)) return [];
  let names: string[];
  try {
    names = fs.readdirSync(archiveDir);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR" || codeOf(error) === "EACCES") return [];
    throw error;
  }
  const folders = names.flatMap((name): ArchiveFolder[] => {
    const [, stem, modified] = /^([^.].*)\.([0-9a-z]+)-[0-9a-f]+$/.exec(name) ?? [];
    if (stem === undefined || modified === undefined) return [];
    return [{ dir: path.join(archiveDir, name), stem, modifiedMs: Number.parseInt(modified, 36) }];
  });
  return folders.sort((a, b) => b.modifiedMs - a.modifiedMs);
}

/** The whole archive, newest transcript first; of a session that was archived several times, each. */
export function listArchived({ configDir, archiveDir }: ArchiveContext): ArchivedSession[] {
  return listArchiveFolders(archiveDir).flatMap(({ dir }) => {
    const manifest = readArchiveManifest(dir);
    return manifest ? [archivedOf(dir, manifest, configDir)] : [];
  });
}

/**
 * Sessions that are only in the archive, newest first, in the form of a list. Reads no more manifests than `limit` asks
 * for, and of a session that was archived several times the newest.
 */
export function listArchivedSummaries(
  { configDir, archiveDir }: ArchiveContext,
  { cwd, limit = Infinity }: ListOptions = {},
): SessionSummary[] {
  const found = new Map<string, SessionSummary>();
  for (const { dir } of listArchiveFolders(archiveDir)) {
    if (found.size >= limit) break;
    const manifest = readArchiveManifest(dir);
    if (!manifest || isLive(manifest, configDir)) continue;
    const key = `${manifest.project}/${manifest.sessionId}`;
    if (found.has(key) || (cwd !== undefined && !isOf(manifest, cwd))) continue;
    found.set(key, summaryOf(dir, manifest));
  }
  return [...found.values()];
}

/** A list with the archived sessions among the others, newest first. */
export function withArchived(
  context: ArchiveContext,
  live: SessionSummary[],
  options: ListOptions = {},
): SessionSummary[] {
  const archived = listArchivedSummaries(context, options);
  if (archived.length === 0) return live;
  const all = [...live, ...archived].sort((a, b) =>
    a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0,
  );
  return all.slice(0, options.limit);
}

/** The summary of an archived session; undefined when it is none. */
export function findArchivedSummary(
  { archiveDir }: ArchiveContext,
  { path: file }: { path: string },
): SessionSummary | undefined {
  if (!isPacked(file)) return undefined;
  const [name = ""] = path.relative(archiveDir, file).split(path.sep);
  const dir = path.join(archiveDir, name);
  const manifest = name === ".." || name === "" ? undefined : readArchiveManifest(dir);
  return manifest && summaryOf(dir, manifest);
}

function summaryOf(dir: string, manifest: ArchiveManifest): SessionSummary {
  return { ...manifest.summary, path: packedPath(dir, manifest.items[0]!), archived: true };
}

export function archivedOf(dir: string, manifest: ArchiveManifest, configDir: string): ArchivedSession {
  const { sessionId, project, archivedAt, summary, items } = manifest;
  const files = items.flatMap((item) => (isArchivedLink(item) ? [] : [item]));
  return {
    sessionId,
    project,
    ...(summary.title !== undefined && { title: summary.title }),
    archivedAt,
    updatedAt: summary.updatedAt,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    storedBytes: files.reduce((sum, { storedBytes }) => sum + storedBytes, 0),
    files: items.length,
    dir,
    path: packedPath(dir, items[0]!),
    isLive: isLive(manifest, configDir),
  };
}

export function isLive({ items }: ArchiveManifest, configDir: string): boolean {
  return fs.lstatSync(path.join(configDir, items[0]!.path), { throwIfNoEntry: false }) !== undefined;
}

// A folder name may stand for several directories; the session says which it was in.
function isOf({ project, summary }: ArchiveManifest, cwd: string): boolean {
  return projectKeyMatches(project, cwd) && (summary.cwd === undefined || summary.cwd === cwd);
}
