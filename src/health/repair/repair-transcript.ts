import fs from "node:fs";
import path from "node:path";
import { holdfastPaths } from "../../format/paths.ts";
import { repairPassesMax } from "./limits.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { acquireLease } from "../../lib/lease.ts";
import { ensurePrivateDir, syncDir } from "../../lib/private-dir.ts";
import { openTranscriptFile } from "../../store/read/open-transcript.ts";
import { refuseWhileInUse, type StoreContext } from "../../store/write/session-writer.ts";
import { leasePath } from "../../store/write/transcript-writer.ts";
import { findDefects } from "../transcripts/find-defects.ts";
import type { TranscriptDefect } from "../transcripts/transcript-defect.ts";
import { healthError } from "../errors.ts";
import { applyEdits } from "./apply-edits.ts";
import type { Backup } from "./open-backup.ts";
import { planEdits, type LostParents } from "./plan-edits.ts";

export interface DamagedTranscript {
  path: string;
  /** Whose transcript it is; a session that somebody has open is not repaired. */
  sessionId: string;
  linesOnly?: boolean | undefined;
  /** What somebody else is about to put right. */
  isSpared?: ((defect: TranscriptDefect) => boolean) | undefined;
}

export interface RepairedTranscript {
  path: string;
  mended: TranscriptDefect[];
  backup: string;
}

const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;

/**
 * Mends a transcript: a new file is written beside it and checked, the old one is kept in the backup, and then the names
 * are swapped in one step. A process that dies on the way leaves the transcript as it was. Throws `session_in_use` or
 * `conflict` while somebody has the session open, and `repair_failed` when the new file is no better.
 */
export async function repairTranscript(
  context: StoreContext,
  damaged: DamagedTranscript,
  backup: Backup,
): Promise<RepairedTranscript> {
  const { configDir, home, files = nodeFileOps } = context;
  refuseWhileInUse(configDir, damaged.sessionId);
  const leaseDir = ensurePrivateDir(holdfastPaths(home).leasesDir, files);
  const lease = acquireLease(leasePath(leaseDir, damaged.path), {
    subject: damaged.sessionId,
    kind: "session",
    files,
  });
  const drafts: string[] = [];
  try {
    const before = fs.lstatSync(damaged.path);
    const mended: TranscriptDefect[] = [];
    const lost: LostParents = new Map();
    let current = damaged.path;
    for (let pass = 1; ; pass++) {
      const all = await findDefects(current, { linesOnly: damaged.linesOnly });
      const defects = all.filter((defect) => damaged.isSpared?.(defect) !== true);
      if (defects.length === 0) break;
      if (pass > repairPassesMax) throw noBetter(damaged.path, defects);
      mended.push(...defects);
      const draft = draftPath(damaged.path, pass);
      drafts.push(draft);
      writeDraft({ from: current, to: draft, mode: before.mode }, { defects, lost, files });
      current = draft;
    }
    if (current === damaged.path) return { path: damaged.path, mended, backup: "" };
    // With a new time it would become the project's newest session, and be swept later than the others.
    fs.utimesSync(current, before.atime, before.mtime);
    const kept = backup.keep(damaged.path, mended);
    refuseWhileInUse(configDir, damaged.sessionId);
    if (!isSame(before, fs.lstatSync(damaged.path))) throw noBetter(damaged.path, mended);
    files.renameSync(current, damaged.path);
    syncDir(path.dirname(damaged.path), files);
    return { path: damaged.path, mended, backup: kept };
  } finally {
    for (const draft of drafts) fs.rmSync(draft, { force: true });
    lease.release();
  }
}

// A name of its own, so that what a killed process left is replaced by the next try. Dot files are no transcripts.
function draftPath(file: string, pass: number): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.repair-${pass}.tmp`);
}

function writeDraft(
  { from, to, mode }: { from: string; to: string; mode: number },
  { defects, lost, files }: { defects: readonly TranscriptDefect[]; lost: LostParents; files: FileOps },
): void {
  fs.rmSync(to, { force: true });
  const source = openTranscriptFile(from);
  try {
    const target = files.openSync(to, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode & 0o777);
    try {
      applyEdits({ from: source, to: target }, planEdits(source, defects, lost), files);
      files.fsyncSync(target);
    } finally {
      files.closeSync(target);
    }
  } finally {
    fs.closeSync(source);
  }
}

function isSame(before: fs.Stats, now: fs.Stats): boolean {
  return before.ino === now.ino && before.size === now.size && before.mtimeMs === now.mtimeMs;
}

function noBetter(file: string, defects: readonly TranscriptDefect[]): Error {
  return healthError(
    "repair_failed",
    `Cannot repair "${file}": it changed meanwhile, or ${defects.length} of its defects cannot be fixed; nothing was changed`,
    { fields: { path: file } },
  );
}
