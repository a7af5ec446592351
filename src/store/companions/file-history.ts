import fs from "node:fs";
import path from "node:path";
import type { FileBackup } from "../../format/index.ts";
import { configPaths, isSafeName, projectKeyMatches } from "../../format/paths.ts";
import { storeError } from "../errors.ts";
import { KeyValues } from "./key-values.ts";
import { readNames, type CompanionProblem, type CompanionsOf } from "./read-companion.ts";
import { entryOfLine } from "../line/read-line.ts";
import { scanTranscript } from "../line/scan-transcript.ts";
import { ToldSnapshots } from "./told-snapshots.ts";
import { trackedPaths, type TrackedPath } from "./tracked-path.ts";

/** The files that a session changed, as they were before each prompt. */
export interface FileHistory {
  /**
   * Where the session worked: the first `cwd` of its entries that its project folder is named after. Absent
   * when none is, as in a moved session; then only proven paths (see `TrackedFile`) can be trusted.
   */
  cwd?: string;
  /** Oldest first. */
  snapshots: FileSnapshot[];
  problems: CompanionProblem[];
}

export interface FileSnapshot {
  /** The prompt; the files are as they were when it was given. */
  messageId: string;
  takenAt?: string;
  /** Assistant entries of this turn that were about to change a file. */
  editedBy: string[];
  files: TrackedFile[];
}

export interface TrackedFile extends TrackedPath {
  /** As the transcript names it: relative to the cwd, or absolute. */
  trackingPath: string;
  version?: number;
  backedUpAt?: string;
  was: TrackedState;
}

export type TrackedState =
  | { kind: "present"; backup: string; bytes: number }
  /** The file did not exist. */
  | { kind: "absent" }
  /** Its backup was swept away, or never named by a plain file name. */
  | { kind: "lost"; backupFileName: string };

/** Joins what the transcript says about snapshots with the backups that are there. */
export async function readFileHistory({ configDir, session, signal }: CompanionsOf): Promise<FileHistory> {
  const told = new ToldSnapshots();
  const cwds = new KeyValues("cwd");
  const visit = (line: Buffer): void => {
    cwds.offer(line);
    if (line.includes(MARKER)) told.add(entryOfLine(line));
  };
  await scanTranscript(session.path, visit, { signal });
  const cwd = cwds.values.find((value) => projectKeyMatches(session.projectKey, value));
  const problems: CompanionProblem[] = [];
  const backupsDir = configPaths(configDir).fileHistoryDir(session.sessionId);
  const findPath = trackedPaths({
    snapshots: told.snapshots,
    backupNames: readNames(backupsDir, problems),
    folders: cwd === undefined ? cwds.values : [cwd, ...cwds.values],
  });
  const snapshots: FileSnapshot[] = [];
  for (const { backups, ...snapshot } of told.snapshots) {
    const files: TrackedFile[] = [];
    for (const [trackingPath, backup] of backups) {
      const found = findPath(trackingPath);
      if (found) files.push({ trackingPath, ...found, ...describe(backup, backupsDir) });
      else problems.push({ path: trackingPath, reason: "unsafe-name" });
    }
    snapshots.push({ ...snapshot, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) });
  }
  return { ...(cwd !== undefined && { cwd }), snapshots, problems };
}

/** The snapshot of a prompt, of an edit in its turn, or of a prefix that only one of them has; without an id the first. */
export function getSnapshot({ snapshots }: FileHistory, id: string | undefined): FileSnapshot {
  if (id === undefined) {
    if (snapshots[0]) return snapshots[0];
    throw storeError("companion_not_found", "Cannot find a file snapshot: the session took none");
  }
  const matches = (wanted: (messageId: string) => boolean): FileSnapshot[] =>
    snapshots.filter(({ messageId, editedBy }) => wanted(messageId) || editedBy.some(wanted));
  const [exact] = matches((messageId) => messageId === id);
  if (exact) return exact;
  const byPrefix = id === "" ? [] : matches((messageId) => messageId.startsWith(id));
  if (byPrefix.length === 1) return byPrefix[0]!;
  const state = byPrefix.length > 1 ? `${byPrefix.length} snapshots match` : "no snapshot was taken for it";
  throw storeError("companion_not_found", `Cannot find file snapshot "${id}": ${state}`, {
    fields: { near: byPrefix.map(({ messageId }) => messageId) },
  });
}

/**
 * All files of the session as they were at a snapshot, by path. A file that was first tracked later had not
 * been touched yet, so its oldest later state is what it was then.
 */
export function filesAt({ snapshots }: FileHistory, snapshot: FileSnapshot): Map<string, TrackedFile> {
  const files = new Map<string, TrackedFile>();
  for (const { files: tracked } of snapshots.slice(snapshots.indexOf(snapshot))) {
    for (const file of tracked) if (!files.has(file.path)) files.set(file.path, file);
  }
  return files;
}

const MARKER = Buffer.from('"file-history');

function describe(
  backup: FileBackup,
  backupsDir: string,
): Pick<TrackedFile, "was" | "version" | "backedUpAt"> {
  const { backupFileName, version, backupTime } = backup;
  return {
    was: stateOf(backupFileName, backupsDir),
    ...(typeof version === "number" && { version }),
    ...(typeof backupTime === "string" && { backedUpAt: backupTime }),
  };
}

function stateOf(backupFileName: string | null | undefined, backupsDir: string): TrackedState {
  if (backupFileName === null || backupFileName === undefined) return { kind: "absent" };
  const lost: TrackedState = { kind: "lost", backupFileName };
  if (!isSafeName(backupFileName)) return lost;
  const backup = path.join(backupsDir, backupFileName);
  const stat = fs.lstatSync(backup, { throwIfNoEntry: false });
  return stat?.isFile() ? { kind: "present", backup, bytes: stat.size } : lost;
}
