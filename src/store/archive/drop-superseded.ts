import { createHash } from "node:crypto";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import {
  isArchivedLink,
  packedPath,
  readArchiveManifest,
  type ArchivedFile,
  type ArchiveManifest,
} from "./archive-manifest.ts";
import { archiveStem, listArchiveFolders } from "./archived-sessions.ts";
import { readPacked } from "./read-packed.ts";
import { removeFolder } from "./restore-archived.ts";

export interface NewestFolder {
  archiveDir: string;
  dir: string;
  manifest: ArchiveManifest;
  files?: FileOps | undefined;
}

/**
 * Removes older copies of a session of which the new one holds every byte: each file of them is the same there, or the
 * beginning of it. A copy with anything else in it stays.
 */
export function dropSuperseded({ archiveDir, dir, manifest, files = nodeFileOps }: NewestFolder): void {
  for (const { dir: older, stem } of listArchiveFolders(archiveDir)) {
    if (older === dir || stem !== archiveStem(manifest.sessionId)) continue;
    const old = readArchiveManifest(older);
    if (old?.sessionId !== manifest.sessionId || old.project !== manifest.project) continue;
    if (isHeldBy(old, { dir, manifest })) removeFolder(older, files);
  }
}

function isHeldBy(old: ArchiveManifest, { dir, manifest }: Pick<NewestFolder, "dir" | "manifest">): boolean {
  const items = new Map(manifest.items.map((item) => [item.path, item]));
  return old.items.every((was) => {
    const now = items.get(was.path);
    if (now === undefined || isArchivedLink(now) || isArchivedLink(was))
      return JSON.stringify(now) === JSON.stringify(was);
    return now.sha256 === was.sha256 || (now.bytes > was.bytes && beginsWith(packedPath(dir, now), was));
  });
}

function beginsWith(packed: string, { bytes, sha256 }: ArchivedFile): boolean {
  const hash = createHash("sha256");
  let left = bytes;
  for (const piece of readPacked(packed)) {
    hash.update(piece.subarray(0, left));
    left -= Math.min(left, piece.length);
    if (left === 0) break;
  }
  return hash.digest("hex") === sha256;
}
