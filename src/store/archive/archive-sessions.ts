import { holdfastPaths } from "../../format/paths.ts";
import { nodeFileOps } from "../../lib/file-ops.ts";
import type { SessionRef } from "../list/find-session.ts";
import { SessionSummariser } from "../list/list-sessions.ts";
import { SharedFolders } from "../list/session-files.ts";
import type { StoreContext } from "../write/session-writer.ts";
import type { ArchiveContents } from "./archive-contents.ts";
import { archivedOf, type ArchivedSession } from "./archived-sessions.ts";
import { findSuperseded } from "./find-superseded.ts";
import { removeOriginals } from "./remove-originals.ts";
import { writePack } from "./write-pack.ts";

export interface ArchiveOptions {
  /** Makes copies: the sessions stay where they are, and a client may have them open. */
  keepsOriginals?: boolean | undefined;
  /** Told how far it has come since the last time, in bytes of the sessions' transcripts. */
  onProgress?: ((bytes: number) => void) | undefined;
}

export interface AddedSessions {
  archived: ArchivedSession[];
  skipped: SkippedSession[];
}

/** A session that stays where it was: somebody has it open, it changed meanwhile, or it cannot be read. */
export interface SkippedSession {
  session: SessionRef;
  error: Error;
}

/**
 * Packs sessions with everything that belongs to them. When a pack is whole and has its name, the originals of its
 * sessions go. Whatever moment the process dies at, each file is where it was, in the archive, or both. The caller holds
 * the archive's lease.
 */
export async function archiveSessions(
  context: StoreContext,
  contents: ArchiveContents,
  sessions: readonly SessionRef[],
  { keepsOriginals = false, onProgress = () => {} }: ArchiveOptions = {},
): Promise<AddedSessions> {
  const { configDir, home, files = nodeFileOps, onIndexTrouble } = context;
  const { indexDir } = holdfastPaths(home);
  const summariser = new SessionSummariser({ configDir, indexDir, onIndexTrouble });
  const result: AddedSessions = { archived: [], skipped: [] };
  const olderCopies = findSuperseded(contents.copies);
  const run = {
    ...context,
    files,
    keepsOriginals,
    summarise: summariser.summarise.bind(summariser),
    shared: new SharedFolders(),
    onProgress,
    onSkip: (session: SessionRef, error: Error) => void result.skipped.push({ session, error }),
  };
  // One that is named twice is packed once.
  const waiting = [...new Map(sessions.map((session) => [session.path, session])).values()].reverse();
  try {
    while (waiting.length > 0) {
      const written = await writePack(run, waiting);
      const [first] = written;
      if (!first) continue;
      const manifests = written.map(({ manifest }) => manifest);
      contents.add(written.map(({ copy }) => copy));
      contents.remove(manifests.flatMap(olderCopies));
      const left = keepsOriginals ? undefined : removeOriginals(context, first.copy.holder, manifests);
      for (const { session, copy, manifest } of written) {
        const error = left?.get(manifest);
        if (error) run.onSkip(session, error);
        else result.archived.push(archivedOf(copy, manifest, configDir));
      }
    }
  } finally {
    summariser.facts.close();
  }
  return result;
}
