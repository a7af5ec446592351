import path from "node:path";
import { findLeaseHolder } from "../../lib/lease.ts";
import { namesIn } from "../../lib/names-in.ts";

/** How the lease of a transcript begins, as far as any file system takes it; a hash of the whole path follows. */
export function leaseStem(name: string): string {
  return name.replace(/[^\w.-]/g, "_").slice(0, 100);
}

/**
 * Whether somebody writes this session's own transcript, whichever project it is filed under. Apart from the writer,
 * because hooks ask this and must not load it.
 */
export function isTranscriptHeld(leaseDir: string, sessionId: string): boolean {
  const stem = leaseStem(sessionId);
  return namesIn(leaseDir).some(
    (name) =>
      name.startsWith(stem) &&
      /^-[0-9a-f]{12}\.lease$/.test(name.slice(stem.length)) &&
      findLeaseHolder(path.join(leaseDir, name))?.subject === sessionId,
  );
}
