import fs from "node:fs";
import path from "node:path";
import { manifestFileBytesMax } from "./limits.ts";
import { holdfastPaths } from "../format/paths.ts";
import { codeOf } from "../lib/errors.ts";
import { acquireLease } from "../lib/lease.ts";
import { ensurePrivateDir } from "../lib/private-dir.ts";

/**
 * Puts a full manifest aside under a name with the time, so that a new one begins. One process does it, under a lease; a
 * writer that has the old one open still writes into it, and readers read both.
 */
export function rotateManifest(file: string, { home, now }: { home: string; now: Date }): void {
  const leases = ensurePrivateDir(holdfastPaths(home).leasesDir);
  const project = path.basename(path.dirname(file));
  const subject = `${path.basename(file)} of ${project}`;
  let lease;
  try {
    lease = acquireLease(path.join(leases, `manifest-${path.basename(file)}-${project}.lease`.slice(-200)), {
      subject,
    });
  } catch (error) {
    // Somebody else is doing it.
    if (codeOf(error) === "conflict") return;
    throw error;
  }
  try {
    const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > manifestFileBytesMax) fs.renameSync(file, rotatedName(file, now));
  } finally {
    lease.release();
  }
}

// `background.jsonl` becomes `background.20261115T233000123Z.jsonl`: sorts by time, and stays a manifest by its name.
export function rotatedName(file: string, now: Date): string {
  const stem = file.slice(0, -".jsonl".length);
  return `${stem}.${now.toISOString().replace(/[-:.]/g, "")}.jsonl`;
}
