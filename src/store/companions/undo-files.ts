import { holdfastPaths } from "../../format/paths.ts";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import { systemClock, type Clock } from "../../lib/clock.ts";
import { codeOf } from "../../lib/errors.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { childPath, ensurePrivateDir, syncDir } from "../../lib/private-dir.ts";
import { filesAt, readFileHistory, type TrackedFile } from "./file-history.ts";
import { findSnapshot } from "./find-snapshot.ts";
import type { CompanionsOf, ProblemReason } from "./read-companion.ts";
import { findTargetRefusal, readTracked, type TargetRefusal } from "./restore-target.ts";

export interface UndoRequest {
  /** The snapshot to go back to, as `findSnapshot` finds it. */
  to?: string | undefined;
  /** Only say what would be done. */
  dryRun?: boolean | undefined;
}

export interface UndoFilesOptions extends CompanionsOf, UndoRequest {
  /** The Holdfast home; what is overwritten is kept in its `undo/`. */
  home: string;
  clock?: Clock | undefined;
  files?: FileOps | undefined;
}

export interface UndoResult {
  /** The prompt before which the files are now as they were. */
  messageId: string;
  /** In the order of their paths. */
  changes: UndoChange[];
  /** Where the overwritten files are kept, with a manifest; absent when nothing was to be changed. */
  keptIn?: string;
}

export type UndoChange = { path: string } & (
  | { kind: "restore" | "remove" | "same" }
  /** Left as it is. */
  | { kind: "refused"; reason: UndoRefusal }
  /** The system refused, with its error code; what the file held before is among the kept files. */
  | { kind: "failed"; reason: string }
);

export type UndoRefusal =
  | "backup-lost"
  /** Something else wrote the file while it was being undone. */
  | "changed-meanwhile"
  | TargetRefusal
  | ProblemReason;

/**
 * Puts the files of a session back to how they were at a snapshot. Before the first one is touched, all that
 * will be overwritten or removed is kept, synced, in the Holdfast home; then each file is replaced whole.
 * A file that cannot be undone is reported and does not keep the others from it.
 */
export async function undoFiles({ to, dryRun = false, ...options }: UndoFilesOptions): Promise<UndoResult> {
  const history = await readFileHistory(options);
  const snapshot = await findSnapshot(options.session, history, to);
  const { messageId } = snapshot;
  const plans = [...filesAt(history, snapshot).values()]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map((file): Plan => ({ file, change: planChange(file, history.cwd) }));
  const work = plans.filter(({ change }) => change.kind === "restore" || change.kind === "remove");
  if (dryRun || work.length === 0) return { messageId, changes: plans.map(({ change }) => change) };
  const kept = keepCurrent(work, { ...options, messageId });
  const changes = plans.map((plan) => applyPlan(plan, { kept, cwd: history.cwd, files: options.files }));
  return { messageId, changes, keptIn: kept.dir };
}

interface Plan {
  file: TrackedFile;
  change: UndoChange;
}

function planChange(file: TrackedFile, cwd: string | undefined): UndoChange {
  const { path: target, was } = file;
  const refused = (reason: UndoRefusal): UndoChange => ({ path: target, kind: "refused", reason });
  if (was.kind === "lost") return refused("backup-lost");
  const refusal = findTargetRefusal(file, { cwd });
  if (refusal) return refused(refusal);
  const now = readTracked(target);
  if (now.kind === "problem") return refused(now.problem.reason);
  if (was.kind === "absent") return { path: target, kind: now.kind === "absent" ? "same" : "remove" };
  const then = readTracked(was.backup);
  if (then.kind === "problem") return refused(then.problem.reason);
  if (then.kind === "absent") return refused("backup-lost");
  return { path: target, kind: now.kind === "read" && now.bytes.equals(then.bytes) ? "same" : "restore" };
}

interface KeptFiles {
  dir: string;
  /** By path, what the file was when it was kept; undefined for one that did not exist. */
  stats: Map<string, fs.Stats | undefined>;
}

type KeepOptions = Pick<UndoFilesOptions, "home" | "session" | "clock" | "files"> & { messageId: string };

/** Copies what is about to be overwritten; throws, with nothing touched yet, when that cannot be done. */
function keepCurrent(work: readonly Plan[], options: KeepOptions): KeptFiles {
  const { home, session, messageId, clock = systemClock, files = nodeFileOps } = options;
  const undoneAt = clock.now().toISOString();
  const name = `${undoneAt.replace(/[:.]/g, "-")}-${randomBytes(4).toString("hex")}`;
  const dir = ensurePrivateDir(
    path.join(childPath(holdfastPaths(home).undoDir, session.sessionId), name),
    files,
  );
  const kept: KeptFiles = { dir, stats: new Map() };
  const entries = work.map(({ file: { path: target } }, index) => {
    const now = readTracked(target);
    kept.stats.set(target, now.kind === "read" ? now.stat : undefined);
    if (now.kind !== "read") return { path: target, kept: null };
    const copy = `${index + 1}`;
    writeFileAtomic(path.join(dir, copy), now.bytes, { files });
    return { path: target, kept: copy, mode: now.stat.mode & 0o7777 };
  });
  const manifest = { sessionId: session.sessionId, messageId, undoneAt, files: entries };
  writeFileAtomic(path.join(dir, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`, { files });
  return kept;
}

interface ApplyOptions {
  kept: KeptFiles;
  cwd: string | undefined;
  files: FileOps | undefined;
}

function applyPlan({ file, change }: Plan, { kept, cwd, files = nodeFileOps }: ApplyOptions): UndoChange {
  if (change.kind !== "restore" && change.kind !== "remove") return change;
  const { path: target } = file;
  const refused = (reason: UndoRefusal): UndoChange => ({ path: target, kind: "refused", reason });
  try {
    const refusal = findTargetRefusal(file, { cwd });
    if (refusal) return refused(refusal);
    if (!isUnchanged(target, kept.stats.get(target))) return refused("changed-meanwhile");
    if (change.kind === "restore") {
      return restore(file, kept.stats.get(target), files) ? change : refused("backup-lost");
    }
    files.unlinkSync(target);
    syncDir(path.dirname(target), files);
    return change;
  } catch (error) {
    return { path: target, kind: "failed", reason: codeOf(error) ?? String(error) };
  }
}

/** Writes the backup over the file; it keeps its permissions, or takes the backup's if it was gone. */
function restore({ path: target, was }: TrackedFile, current: fs.Stats | undefined, files: FileOps): boolean {
  const backup = was.kind === "present" ? readTracked(was.backup) : undefined;
  if (backup?.kind !== "read") return false;
  const mode = (current ?? backup.stat).mode & 0o777;
  files.mkdirSync(path.dirname(target), { recursive: true });
  writeFileAtomic(target, backup.bytes, { files, mode });
  // The umask took bits away when the file was made.
  if ((fs.lstatSync(target).mode & 0o777) !== mode) fs.chmodSync(target, mode);
  return true;
}

function isUnchanged(target: string, then: fs.Stats | undefined): boolean {
  const now = fs.lstatSync(target, { throwIfNoEntry: false });
  if (!now || !then) return now === undefined && then === undefined;
  return now.ino === then.ino && now.size === then.size && now.mtimeMs === then.mtimeMs;
}
