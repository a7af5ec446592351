import { createHash } from "node:crypto";
import path from "node:path";
import type { ToldSnapshot } from "./told-snapshots.ts";

export interface TrackedPath {
  /** Absolute. */
  path: string;
  /** Whether a backup on disk, whose name is the hash of the path, proves that this is the path meant. */
  isProven: boolean;
  /** It is a path of Windows: it can be named, not reached. */
  isForeign?: true;
}

export interface TrackedPathParts {
  snapshots: readonly ToldSnapshot[];
  /** Names in the session's file-history folder. */
  backupNames: readonly string[];
  /** Folders that a relative path may count from, the most trusted first. */
  folders: readonly string[];
}

/**
 * Says which file a tracking path means; undefined when it cannot mean any. The transcript alone is not believed:
 * of the folders a path may count from, the one is right for which the client left a backup on disk.
 */
export function trackedPaths(parts: TrackedPathParts): (trackingPath: string) => TrackedPath | undefined {
  const { snapshots, backupNames, folders } = parts;
  const told = toldHashes(snapshots);
  const onDisk = new Set(backupNames.map(hashInName));
  const isProven = (trackingPath: string, file: string): boolean => {
    const hash = pathHash(file);
    return onDisk.has(hash) && told.get(trackingPath)?.has(hash) === true;
  };
  return (trackingPath) => {
    if (trackingPath === "" || trackingPath.includes("\0")) return undefined;
    const foreign = windowsPath(trackingPath, folders);
    if (foreign !== undefined)
      return { path: foreign, isProven: isProven(trackingPath, foreign), isForeign: true };
    const candidates = path.isAbsolute(trackingPath)
      ? [path.normalize(trackingPath)]
      : folders
          .filter((folder) => path.isAbsolute(folder))
          .map((folder) => path.resolve(folder, trackingPath));
    const proven = candidates.find((file) => isProven(trackingPath, file));
    if (proven !== undefined) return { path: proven, isProven: true };
    return candidates[0] === undefined ? undefined : { path: candidates[0], isProven: false };
  };
}

// A relative one counts from a folder of Windows, if the session worked in one.
function windowsPath(trackingPath: string, folders: readonly string[]): string | undefined {
  if (ofWindows.test(trackingPath)) return path.win32.normalize(trackingPath);
  const folder = folders.find((each) => ofWindows.test(each));
  if (folder === undefined || path.isAbsolute(trackingPath)) return undefined;
  return path.win32.resolve(folder, trackingPath);
}

const ofWindows = /^(?:[A-Za-z]:[\\/]|\\\\[^\\])/;

/** By tracking path, the hashes in the names of its backups of all times. */
function toldHashes(snapshots: readonly ToldSnapshot[]): Map<string, Set<string>> {
  const hashes = new Map<string, Set<string>>();
  for (const { backups } of snapshots) {
    for (const [trackingPath, { backupFileName }] of backups) {
      const hash = hashInName(backupFileName ?? "");
      if (hash !== undefined) hashes.set(trackingPath, (hashes.get(trackingPath) ?? new Set()).add(hash));
    }
  }
  return hashes;
}

function hashInName(name: string): string | undefined {
  return /^([0-9a-f]{16})@v\d+$/.exec(name)?.[1];
}

/** As the client names backups: the first 16 hex digits of the SHA-256 of the absolute path. */
function pathHash(file: string): string {
  return createHash("sha256").update(file).digest("hex").slice(0, 16);
}
