import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { holdfastPaths } from "../../format/paths.ts";
import { namesIn } from "../../lib/names-in.ts";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import { systemClock } from "../../lib/clock.ts";
import { nodeFileOps } from "../../lib/file-ops.ts";
import { acquireLease } from "../../lib/lease.ts";
import { ensurePrivateDir, isThere } from "../../lib/private-dir.ts";
import { readJson } from "../../lib/read-json.ts";
import { matchId } from "../../lib/match-id.ts";
import { storeError } from "../errors.ts";
import type { SessionRef } from "../list/find-session.ts";
import { summariseSession } from "../list/list-sessions.ts";
import { configCompanions, isSameFile, moveTo, projectCompanions } from "../list/session-files.ts";
import { refuseWhileInUse, type StoreContext } from "../write/session-writer.ts";
import { statTranscript } from "../list/transcript-files.ts";
import { leasePath } from "../write/transcript-writer.ts";

/** A session in the trash, as its manifest says. */
export interface TrashedSession {
  sessionId: string;
  project: string;
  title?: string;
  trashedAt: string;
  bytes: number;
  /** The folder below the trash that holds it. */
  dir: string;
  files: number;
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
export function trashSession(context: StoreContext, session: SessionRef): TrashedSession {
  const { clock = systemClock, files = nodeFileOps } = context;
  const { trashDir, leasesDir } = holdfastPaths(context.home);
  refuseWhileInUse(context.configDir, session.sessionId);
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
    const sources = [
      session.path,
      ...projectCompanions(session),
      ...configCompanions(context.configDir, session.sessionId),
    ];
    const trashedAt = clock.now().toISOString();
    const manifest: TrashManifest = {
      version: 1,
      sessionId: session.sessionId,
      project: session.projectKey,
      ...(title !== undefined && { title }),
      trashedAt,
      bytes: transcript.bytes,
      items: sources.map((from, index) => ({ from, name: `${index}-${path.basename(from)}` })),
    };
    const stamp = trashedAt.replace(/[^0-9]/g, "").slice(0, 14);
    const dir = path.join(trashDir, `${session.sessionId}.${stamp}-${randomBytes(3).toString("hex")}`);
    ensurePrivateDir(dir, files);
    writeFileAtomic(path.join(dir, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { files });
    for (const { from, name } of manifest.items) moveTo(from, path.join(dir, name), files);
    return trashedOf(dir, manifest);
  } finally {
    lease.release();
  }
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
  const manifest = trashed && readManifest(trashed.dir);
  if (!trashed || !manifest)
    throw storeError("trash_not_found", `Cannot restore session "${id}": it is not in the trash`);
  const items = manifest.items.filter(({ name }) => isThere(path.join(trashed.dir, name)));
  // Of a move that was cut off in the middle both names are there, and stand for one file.
  const taken = items.find(
    ({ from, name }) => isThere(from) && !isSameFile(from, path.join(trashed.dir, name)),
  );
  if (taken) {
    throw storeError(
      "target_exists",
      `Cannot restore session "${trashed.sessionId}": "${taken.from}" exists again; move it away`,
      {
        fields: { path: taken.from },
      },
    );
  }
  // The transcript goes last: only with its companions in place is the session there again.
  for (const { from, name } of items.toReversed())
    moveTo(path.join(trashed.dir, name), from, context.files ?? nodeFileOps);
  fs.rmSync(trashed.dir, { recursive: true });
  return { sessionId: manifest.sessionId, projectKey: manifest.project, path: manifest.items[0]!.from };
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
