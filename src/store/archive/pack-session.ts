import fs from "node:fs";
import { holdfastPaths } from "../../format/paths.ts";
import { systemClock } from "../../lib/clock.ts";
import { HoldfastError } from "../../lib/errors.ts";
import type { FileOps } from "../../lib/file-ops.ts";
import { findLeaseHolder } from "../../lib/lease.ts";
import { storeError } from "../errors.ts";
import type { SessionRef } from "../list/find-session.ts";
import type { SessionSummary } from "../list/list-sessions.ts";
import type { SharedFolders } from "../list/session-files.ts";
import { refuseWhileInUse, type StoreContext } from "../write/session-writer.ts";
import { statTranscript, type TranscriptFile } from "../list/transcript-files.ts";
import { leasePath } from "../write/transcript-writer.ts";
import type { StoredManifest } from "./archive-manifest.ts";
import { isUntouched, listItems } from "./list-items.ts";
import type { PackWriter, SessionInPack } from "./pack-writer.ts";

/** What all sessions of one call share, so that each folder is read once. */
export interface PackRun extends StoreContext {
  files: FileOps;
  keepsOriginals: boolean;
  summarise: (file: TranscriptFile) => SessionSummary | undefined;
  shared: SharedFolders;
  onProgress: (bytes: number) => void;
  onSkip: (session: SessionRef, error: Error) => void;
}

export interface PackedSession extends SessionInPack {
  session: SessionRef;
  /** To be told how much of it was read back. */
  onBytes: (bytes: number) => void;
}

/**
 * Adds a session to a pack as it is now; undefined when there is no room for it. Throws `session_in_use` or `conflict`
 * while somebody has it open.
 */
export async function packSession(
  run: PackRun,
  writer: PackWriter,
  session: SessionRef,
): Promise<PackedSession | undefined> {
  refuseWhileOpen(run, session);
  const { configDir, clock = systemClock } = run;
  const found = listItems(configDir, session, run.shared);
  const total = found.reduce((sum, { stat }) => sum + stat.size, 0);
  if (!writer.hasRoomFor({ bytes: total, items: found.length })) return undefined;
  const transcript = statTranscript(session.path, session.projectKey);
  const summary = transcript && run.summarise(transcript);
  // Each byte is written once and read back once; all of a session's are told as those of its transcript.
  const weight = found[0]!.stat.size / (2 * total);
  const onBytes = (bytes: number): void => run.onProgress(bytes * weight);
  const items: StoredManifest["items"] = [];
  for (const { file, path, stat } of found) {
    if (stat.isSymbolicLink()) items.push({ path, target: fs.readlinkSync(file) });
    else {
      const content = await writer.addFile(file, onBytes);
      items.push({ path, ...content, mode: stat.mode & 0o777, modifiedAt: stat.mtime.toISOString() });
    }
  }
  // Also what was summarised is then what was packed.
  if (!summary || !found.every(isUntouched)) throw changed(session);
  const { path: _, archived: __, ...listed } = summary;
  return {
    session,
    onBytes,
    modifiedMs: Math.round(transcript.mtimeMs),
    manifest: {
      version: 2,
      sessionId: session.sessionId,
      project: session.projectKey,
      archivedAt: clock.now().toISOString(),
      summary: listed,
      items,
    },
  };
}

// A client may have a session open of which a copy is made; another process of ours may not.
function refuseWhileOpen(
  { configDir, home, keepsOriginals }: PackRun,
  { sessionId, path }: SessionRef,
): void {
  if (!keepsOriginals) refuseWhileInUse(configDir, sessionId);
  const holder = findLeaseHolder(leasePath(holdfastPaths(home).leasesDir, path));
  if (!holder) return;
  throw new HoldfastError(`Cannot archive session "${sessionId}": pid ${holder.pid} has it open`, {
    code: "conflict",
    retryable: true,
    fields: { pid: holder.pid, host: holder.host, subject: sessionId },
  });
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
