import path from "node:path";
import { holdfastPaths, isSafeName } from "../../format/paths.ts";
import { acquireLease, findLeaseHolder } from "../../lib/lease.ts";
import { childPath, ensurePrivateDir } from "../../lib/private-dir.ts";
import { findClientProcess } from "./client-processes.ts";
import { isTranscriptHeld } from "./transcript-lease.ts";

/** That somebody talks in a session, until it is released or this process is dead. */
export interface Attendance extends Disposable {
  /** Harmless when it was released before. */
  release(): void;
}

/**
 * Says that somebody talks in this session: what concerns it is told there and nowhere else. Throws `conflict` when another
 * one has said so.
 */
export function attendSession(home: string, sessionId: string): Attendance {
  const file = presencePath(home, sessionId);
  ensurePrivateDir(path.dirname(file));
  const lease = acquireLease(file, { subject: sessionId, kind: "session" });
  const release = (): void => lease.release();
  return { release, [Symbol.dispose]: release };
}

/** Whether somebody talks in this session: in the client, in a chat of ours, or in a program that attends or writes it. */
export function isSessionPresent(
  { home, configDir }: { home: string; configDir: string },
  sessionId: string,
): boolean {
  if (findClientProcess(configDir, sessionId) !== undefined) return true;
  if (!isSafeName(sessionId)) return false;
  return (
    findLeaseHolder(presencePath(home, sessionId)) !== undefined ||
    isTranscriptHeld(holdfastPaths(home).leasesDir, sessionId)
  );
}

function presencePath(home: string, sessionId: string): string {
  return childPath(holdfastPaths(home).leasesDir, `session-${sessionId}.lease`);
}
