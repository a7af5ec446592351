import path from "node:path";
import { holdfastPaths, isSafeName } from "../../format/paths.ts";
import { acquireLease, findLeaseHolder, type Lease } from "../../lib/lease.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { findClientProcess } from "./client-processes.ts";

/**
 * Says that somebody talks in this session, until the lease is released or this process is dead: what concerns the
 * session is told there and nowhere else. Throws `conflict` when another process has said so.
 */
export function announceSession(home: string, sessionId: string): Lease {
  const file = presencePath(home, sessionId);
  ensurePrivateDir(path.dirname(file));
  return acquireLease(file, { subject: sessionId, kind: "session" });
}

/** Whether somebody talks in this session: in the client, or in a chat of ours. */
export function isSessionPresent(
  { home, configDir }: { home: string; configDir: string },
  sessionId: string,
): boolean {
  if (findClientProcess(configDir, sessionId) !== undefined) return true;
  return isSafeName(sessionId) && findLeaseHolder(presencePath(home, sessionId)) !== undefined;
}

function presencePath(home: string, sessionId: string): string {
  return path.join(holdfastPaths(home).leasesDir, `session-${sessionId}.lease`);
}
