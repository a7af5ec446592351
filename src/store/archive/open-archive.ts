import fs from "node:fs";
import path from "node:path";
import { holdfastPaths } from "../../format/paths.ts";
import { HoldfastError, codeOf } from "../../lib/errors.ts";
import { acquireLease } from "../../lib/lease.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { storeError } from "../errors.ts";
import type { SessionRef } from "../find-session.ts";
import { refuseWhileInUse, type StoreContext } from "../session-writer.ts";
import { leasePath } from "../transcript-writer.ts";
import { pendingName, readArchiveManifest } from "./archive-manifest.ts";
import { archiveSession, type ArchiveOptions } from "./archive-session.ts";
import { listArchiveFolders, type ArchivedSession } from "./archived-sessions.ts";
import { ambiguous, findInArchive } from "./find-archived.ts";
import { removeOriginals } from "./remove-originals.ts";
import { restoreArchived } from "./restore-archived.ts";

/** The archive, open for changes by one process at a time. Reading it needs none. */
export interface Archive {
  /** Throws `session_in_use` or `conflict` while somebody has the session open. */
  add(session: SessionRef, options?: ArchiveOptions): Promise<ArchivedSession>;
  /** By id or unique prefix, the newest if it was archived twice. Throws `archive_not_found`. */
  restore(id: string): SessionRef;
  close(): void;
}

/** Takes the archive's lease, then finishes what a process that died left half done. Throws `conflict` while held. */
export function openArchive(context: StoreContext): Archive {
  const { configDir, home, files } = context;
  const { archiveDir, leasesDir } = holdfastPaths(home);
  const lease = takeLease(path.join(ensurePrivateDir(leasesDir, files), "archive.lease"), context);
  try {
    ensurePrivateDir(archiveDir, files);
    settle(context, archiveDir);
  } catch (error) {
    lease.release();
    throw error;
  }
  return {
    add: (session, options) => archiveSession(context, session, options),
    restore(id) {
      const found = findInArchive({ configDir, archiveDir }, id, { withLive: true });
      if (found.length > 1) throw ambiguous(id, found);
      if (!found[0])
        throw storeError("archive_not_found", `Cannot restore session "${id}": it is not in the archive`);
      return restoreArchived(context, found[0].dir);
    },
    close: () => lease.release(),
  };
}

function takeLease(file: string, { files }: StoreContext): { release(): void } {
  try {
    return acquireLease(file, { subject: "archive", ...(files && { files }) });
  } catch (error) {
    if (codeOf(error) !== "conflict") throw error;
    const { pid } = (error as HoldfastError).fields;
    throw new HoldfastError(`Cannot open the archive: pid ${String(pid)} is at work in it`, {
      code: "conflict",
      retryable: true,
      cause: error,
      fields: { pid },
    });
  }
}

// Nobody else is at work here, so what has a temporary name was left by a process that died.
function settle(context: StoreContext, archiveDir: string): void {
  for (const name of fs.readdirSync(archiveDir))
    if (name.startsWith(".") && name.endsWith(".tmp"))
      fs.rmSync(path.join(archiveDir, name), { recursive: true, force: true });
  for (const { dir } of listArchiveFolders(archiveDir))
    if (fs.existsSync(path.join(dir, pendingName))) finishRemoval(context, dir);
}

// One that is in use is left for the next run; what is in the archive is safe there.
function finishRemoval({ configDir, home, files }: StoreContext, dir: string): void {
  const manifest = readArchiveManifest(dir);
  if (!manifest) return;
  const transcript = path.join(configDir, manifest.items[0]!.path);
  try {
    refuseWhileInUse(configDir, manifest.sessionId);
    const lease = acquireLease(leasePath(holdfastPaths(home).leasesDir, transcript), {
      subject: manifest.sessionId,
      kind: "session",
      ...(files && { files }),
    });
    try {
      removeOriginals({ configDir, dir, manifest, files });
    } finally {
      lease.release();
    }
  } catch (error) {
    if (codeOf(error) !== "session_in_use" && codeOf(error) !== "conflict") throw error;
  }
}
