import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { holdfastPaths } from "../../format/paths.ts";
import { namesIn } from "../../lib/names-in.ts";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import { systemClock } from "../../lib/clock.ts";
import { nodeFileOps } from "../../lib/file-ops.ts";
import { HoldfastError } from "../../lib/errors.ts";
import { acquireLease, findLeaseHolder } from "../../lib/lease.ts";
import { ensurePrivateDir, isThere } from "../../lib/private-dir.ts";
import { readJson } from "../../lib/read-json.ts";
import { matchId } from "../../lib/match-id.ts";
import { storeError } from "../errors.ts";
import type { SessionRef } from "../list/find-session.ts";
import { summariseSession } from "../list/list-sessions.ts";
import {
  configCompanions,
  isSameFile,
  moveTo,
  projectCompanions,
  SharedFolders,
} from "../list/session-files.ts";
import { refuseWhileInUse, type StoreContext } from "../write/session-writer.ts";
import { listNestedAgents, statTranscript } from "../list/transcript-files.ts";
import { leasePath } from "../write/transcript-writer.ts";

/** A session in the trash, as its manifest says. */
export interface TrashedSession {
  sessionId: string;
  project: string;
  title?: string;
  trashedAt: string;
  bytes: number;
  /** With which reset of a project it went. */
  reset?: ResetName;
  /** The folder below the trash that holds it. */
  dir: string;
  files: number;
}

export interface TrashOptions {
  reset?: ResetName;
  /** For who moves many: what was read of the folders that sessions share. */
  shared?: SharedFolders;
}

export interface ResetName {
  id: string;
  /** The project's directory. */
  cwd: string;
}

interface TrashManifest extends Omit<TrashedSession, "dir" | "files"> {
  version: 1;
  /** Where each item came from, and its name in the trash. The first is the transcript. */
  items: { from: string; name: string }[];
}

const MANIFEST = "manifest.json";

/**
 * Moves a session and its companions into the trash. The manifest is written and synced first, so that whatever
 * moment the process dies at, `restoreSession` finds every item: where it came from or in the trash.
 */
export function trashSession(
  context: StoreContext,
  session: SessionRef,
  { reset, shared = new SharedFolders() }: TrashOptions = {},
): TrashedSession {
  const { files = nodeFileOps } = context;
  const { leasesDir } = holdfastPaths(context.home);
  refuseToTrash(context, session, shared);
  const lease = acquireLease(leasePath(ensurePrivateDir(leasesDir, files), session.path), {
    subject: session.sessionId,
    kind: "session",
    files,
  });
  try {
    const transcript = statTranscript(session.path, session.projectKey);
    if (!transcript)
      throw storeError("session_not_found", `Cannot trash session "${session.sessionId}": its file is gone`);
    const title = summariseSession(context, transcript)?.title;
    return intoTrash(context, {
      sessionId: session.sessionId,
      project: session.projectKey,
      ...(title !== undefined && { title }),
      bytes: transcript.bytes,
      ...(reset && { reset }),
      sources: [
        session.path,
        ...projectCompanions(session, shared),
        ...configCompanions(context.configDir, session.sessionId, shared),
      ],
    });
  } finally {
    lease.release();
  }
}

/** Throws `session_in_use` while a client has the session open, and `conflict` while somebody writes it or one of its agents. */
export function refuseToTrash(
  { configDir, home }: StoreContext,
  session: SessionRef,
  shared: SharedFolders,
): void {
  refuseWhileInUse(configDir, session.sessionId);
  const { leasesDir } = holdfastPaths(home);
  const agents = projectCompanions(session, shared).flatMap((file) =>
    file.endsWith(".jsonl") ? [file] : listNestedAgents(file).map((agent) => agent.path),
  );
  for (const file of [session.path, ...agents]) {
    const holder = findLeaseHolder(leasePath(leasesDir, file));
    if (!holder) continue;
    throw new HoldfastError(
      `Cannot trash session "${session.sessionId}": the process with pid ${holder.pid} writes "${path.basename(file)}"`,
      { code: "conflict", retryable: true, fields: { pid: holder.pid, sessionId: session.sessionId } },
    );
  }
}

export interface Trashing extends Omit<TrashedSession, "trashedAt" | "dir" | "files"> {
  /** The files and folders that go, the transcript first. */
  sources: readonly string[];
}

export function intoTrash(context: StoreContext, { sources, ...about }: Trashing): TrashedSession {
  const { clock = systemClock, files = nodeFileOps } = context;
  const trashedAt = clock.now().toISOString();
  const manifest: TrashManifest = {
    version: 1,
    ...about,
    trashedAt,
    items: sources.map((from, index) => ({ from, name: `${index}-${path.basename(from)}` })),
  };
  const stamp = trashedAt.replace(/[^0-9]/g, "").slice(0, 14);
  const name = `${about.sessionId}.${stamp}-${randomBytes(3).toString("hex")}`;
  const dir = path.join(holdfastPaths(context.home).trashDir, name);
  ensurePrivateDir(dir, files);
  writeFileAtomic(path.join(dir, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { files });
  for (const { from, name: kept } of manifest.items) moveTo(from, path.join(dir, kept), files);
  return trashedOf(dir, manifest);
}

/** What is in the trash, newest first. */
export function listTrash({ home }: Pick<StoreContext, "home">): TrashedSession[] {
  const { trashDir } = holdfastPaths(home);
  const found = namesIn(trashDir).flatMap((name) => {
    const manifest = readManifest(path.join(trashDir, name));
    return manifest ? [trashedOf(path.join(trashDir, name), manifest)] : [];
  });
  return found.sort((a, b) => (a.trashedAt < b.trashedAt ? 1 : a.trashedAt > b.trashedAt ? -1 : 0));
}

/** Puts a trashed session back where it was: by id or unique prefix, the newest if it was trashed twice. */
export function restoreSession(context: StoreContext, id: string): SessionRef {
  const matches = matchId(listTrash(context), id, ({ sessionId }) => sessionId);
  const ids = new Set(matches.map(({ sessionId }) => sessionId));
  if (ids.size > 1) {
    throw storeError(
      "session_ambiguous",
      `Cannot choose session "${id}": ${ids.size} trashed sessions match`,
      {
        fields: {
          candidates: matches.map(({ sessionId, project, title }) => ({ sessionId, project, title })),
        },
      },
    );
  }
  const [trashed] = matches;
  if (!trashed) throw storeError("trash_not_found", `Cannot restore session "${id}": it is not in the trash`);
  return putBack(context, trashed);
}

/** The items of a trashed session that are still in the trash. Throws `target_exists` if one cannot go back. */
export function itemsToPutBack({ sessionId, dir }: TrashedSession): TrashManifest["items"] {
  const items = (readManifest(dir)?.items ?? []).filter(({ name }) => isThere(path.join(dir, name)));
  // Of a move that was cut off in the middle both names are there, and stand for one file.
  const taken = items.find(({ from, name }) => isThere(from) && !isSameFile(from, path.join(dir, name)));
  if (!taken) return items;
  throw storeError(
    "target_exists",
    `Cannot restore session "${sessionId}": "${taken.from}" exists again; move it away`,
    { fields: { path: taken.from } },
  );
}

export function putBack({ files = nodeFileOps }: StoreContext, trashed: TrashedSession): SessionRef {
  const { sessionId, project: projectKey, dir } = trashed;
  const [first] = readManifest(dir)?.items ?? [];
  if (!first)
    throw storeError("trash_not_found", `Cannot restore session "${sessionId}": it is not in the trash`);
  // The transcript goes last: only with its companions in place is the session there again.
  for (const { from, name } of itemsToPutBack(trashed).toReversed())
    moveTo(path.join(dir, name), from, files);
  fs.rmSync(dir, { recursive: true });
  return { sessionId, projectKey, path: first.from };
}

function trashedOf(dir: string, manifest: TrashManifest): TrashedSession {
  const { version: _, items, ...rest } = manifest;
  return { ...rest, dir, files: items.length };
}

function readManifest(dir: string): TrashManifest | undefined {
  const manifest = readJson(path.join(dir, MANIFEST)) as TrashManifest | null | undefined;
  if (manifest?.version !== 1 || !Array.isArray(manifest.items)) return undefined;
  return manifest.items.length > 0 ? manifest : undefined;
}
