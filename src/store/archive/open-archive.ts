import path from "node:path";
import { holdfastPaths } from "../../format/paths.ts";
import { acquireLease } from "../../lib/lease.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { storeError } from "../errors.ts";
import { ambiguous, type SessionRef } from "../list/find-session.ts";
import type { StoreContext } from "../write/session-writer.ts";
import type { ArchiveContents } from "./archive-contents.ts";
import { archiveSessions, type AddedSessions, type ArchiveOptions } from "./archive-sessions.ts";
import { findInArchive } from "./find-archived.ts";
import { restoreArchived, type RestoreOptions } from "./restore-archived.ts";
import { settleArchive } from "./settle-archive.ts";

/** The archive, open for changes by one process at a time. Reading it needs none. */
export interface Archive {
  /** Open sessions stay where they are and are reported as skipped. */
  add(sessions: readonly SessionRef[], options?: ArchiveOptions): Promise<AddedSessions>;
  /** By id or unique prefix, the newest if it was archived twice. Throws `archive_not_found`. */
  restore(id: string, options?: RestoreOptions): SessionRef;
  close(): void;
}

/** Takes the archive's lease, then finishes what a process that died left half done. Throws `conflict` while held. */
export function openArchive(context: StoreContext): Archive {
  const { configDir, home, files } = context;
  const { archiveDir, leasesDir } = holdfastPaths(home);
  const lease = acquireLease(path.join(ensurePrivateDir(leasesDir, files), "archive.lease"), {
    subject: "the archive",
    ...(files && { files }),
  });
  let contents: ArchiveContents;
  try {
    ensurePrivateDir(archiveDir, files);
    contents = settleArchive(context);
  } catch (error) {
    lease.release();
    throw error;
  }
  return {
    add: (sessions, options) => archiveSessions(context, contents, sessions, options),
    restore(id, options) {
      const onUnreadable = (_: string, error: Error): void => void contents.unreadable.push(error);
      const found = findInArchive({ configDir, archiveDir, onUnreadable }, id, contents.copies);
      if (found.length > 1) throw ambiguous(id, found);
      // What cannot be read may be what is meant.
      if (!found[0] && contents.unreadable[0]) throw contents.unreadable[0];
      if (!found[0])
        throw storeError("archive_not_found", `Cannot restore session "${id}": it is not in the archive`);
      const { copy } = found[0];
      const restored = restoreArchived(context, copy.readManifest(), options);
      contents.remove([copy]);
      return restored;
    },
    close: () => lease.release(),
  };
}
