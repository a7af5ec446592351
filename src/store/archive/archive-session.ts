import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { holdfastPaths } from "../../format/paths.ts";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import { systemClock } from "../../lib/clock.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { acquireLease } from "../../lib/lease.ts";
import { ensurePrivateDir, syncDir } from "../../lib/private-dir.ts";
import { storeError } from "../errors.ts";
import type { SessionRef } from "../find-session.ts";
import { summariseSession } from "../list-sessions.ts";
import { refuseWhileInUse, type StoreContext } from "../session-writer.ts";
import { statTranscript } from "../transcript-files.ts";
import { leasePath } from "../transcript-writer.ts";
import {
  manifestName,
  packedPath,
  pendingName,
  type ArchivedItem,
  type ArchiveManifest,
} from "./archive-manifest.ts";
import { archiveFolderName, archivedOf, type ArchivedSession } from "./archived-sessions.ts";
import { dropSuperseded } from "./drop-superseded.ts";
import { isUntouched, listItems, type FoundItem } from "./list-items.ts";
import { packFile } from "./pack-file.ts";
import { removeOriginals } from "./remove-originals.ts";

const { O_WRONLY, O_CREAT, O_EXCL } = fs.constants;

/** A session into the archive. `keepsOriginals` makes a copy: the session stays where it is, and may be in use. */
export interface ArchiveOptions {
  keepsOriginals?: boolean | undefined;
}

/**
 * Packs everything of a session into a folder of its own under a temporary name, reads all of it back, and only then
 * gives the folder its name; after that, the originals go. Whatever moment the process dies at, each file is where it
 * was, in the archive, or both. The caller holds the archive's lease.
 */
export async function archiveSession(
  context: StoreContext,
  session: SessionRef,
  { keepsOriginals = false }: ArchiveOptions = {},
): Promise<ArchivedSession> {
  const { configDir, files = nodeFileOps } = context;
  const { leasesDir } = holdfastPaths(context.home);
  if (!keepsOriginals) refuseWhileInUse(configDir, session.sessionId);
  const lease = acquireLease(leasePath(ensurePrivateDir(leasesDir, files), session.path), {
    subject: session.sessionId,
    kind: "session",
    files,
  });
  try {
    const { dir, manifest } = await pack(context, session, { keepsOriginals });
    dropSuperseded({ archiveDir: path.dirname(dir), dir, manifest, files });
    // Somebody may have opened it while it was packed; then it is a copy, and the next run sees to the rest.
    if (!keepsOriginals) {
      refuseWhileInUse(configDir, session.sessionId);
      removeOriginals({ configDir, dir, manifest, files });
    }
    return archivedOf(dir, manifest, configDir);
  } finally {
    lease.release();
  }
}

async function pack(
  context: StoreContext,
  session: SessionRef,
  { keepsOriginals }: { keepsOriginals: boolean },
): Promise<{ dir: string; manifest: ArchiveManifest }> {
  const { configDir, home, clock = systemClock, files = nodeFileOps } = context;
  const { archiveDir, indexDir } = holdfastPaths(home);
  const found = listItems(configDir, session);
  const transcript = statTranscript(session.path, session.projectKey);
  const summary = transcript && summariseSession({ configDir, indexDir }, transcript);
  if (!summary) throw changed(session);
  const name = archiveFolderName(session.sessionId, {
    modifiedMs: transcript.mtimeMs,
    unique: randomBytes(4).toString("hex"),
  });
  ensurePrivateDir(archiveDir, files);
  const staging = path.join(archiveDir, `.${name}.tmp`);
  try {
    const items = await packItems(staging, found, files);
    if (!found.every(isUntouched)) throw changed(session);
    const { path: _, archived: __, ...listed } = summary;
    const manifest: ArchiveManifest = {
      version: 1,
      sessionId: session.sessionId,
      project: session.projectKey,
      archivedAt: clock.now().toISOString(),
      summary: listed,
      items,
    };
    // An empty file; its name becomes durable with the manifest's.
    if (!keepsOriginals)
      files.closeSync(files.openSync(path.join(staging, pendingName), O_WRONLY | O_CREAT | O_EXCL, 0o600));
    writeFileAtomic(path.join(staging, manifestName), `${JSON.stringify(manifest, null, 1)}\n`, { files });
    const dir = path.join(archiveDir, name);
    files.renameSync(staging, dir);
    syncDir(archiveDir, files);
    return { dir, manifest };
  } catch (error) {
    fs.rmSync(staging, { recursive: true, force: true });
    throw error;
  }
}

async function packItems(
  staging: string,
  found: readonly FoundItem[],
  files: FileOps,
): Promise<ArchivedItem[]> {
  const items: ArchivedItem[] = [];
  const folders = new Set<string>([staging]);
  for (const { file, path: name, stat } of found) {
    if (stat.isSymbolicLink()) {
      items.push({ path: name, target: fs.readlinkSync(file) });
      continue;
    }
    const to = packedPath(staging, { path: name, target: "" });
    files.mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
    for (let dir = path.dirname(to); dir !== staging; dir = path.dirname(dir)) folders.add(dir);
    const packed = await packFile({ from: file, to }, files);
    items.push({ path: name, ...packed, mode: stat.mode & 0o777, modifiedAt: stat.mtime.toISOString() });
  }
  for (const folder of folders) syncDir(folder, files);
  return items;
}

function changed({ sessionId }: SessionRef): Error {
  return storeError(
    "session_in_use",
    `Cannot archive session "${sessionId}": it changed meanwhile; try again`,
    {
      retryable: true,
      fields: { sessionId },
    },
  );
}
