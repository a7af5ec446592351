import fs from "node:fs";
import path from "node:path";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { isArchivedLink, pendingName, type ArchivedItem, type ArchiveManifest } from "./archive-manifest.ts";
import { digestOf } from "./pack-file.ts";

export interface RemoveOptions {
  configDir: string;
  /** The folder of the archive. */
  dir: string;
  manifest: ArchiveManifest;
  files?: FileOps | undefined;
}

/**
 * Removes what is in the archive from where it was, each file only if it still is what was archived. The transcript goes
 * first: as long as it is there nothing else was touched, and a session that went on since keeps everything. A removal
 * that was cut off is finished by the same call again.
 */
export function removeOriginals({ configDir, dir, manifest, files = nodeFileOps }: RemoveOptions): void {
  const [transcript, ...companions] = manifest.items;
  const place = (item: ArchivedItem): string => path.join(configDir, item.path);
  const isThere = (item: ArchivedItem): boolean => lstat(place(item)) !== undefined;
  if (!isThere(transcript!) || isSame(transcript!, place(transcript!))) {
    for (const item of [transcript!, ...companions])
      if (isSame(item, place(item))) files.unlinkSync(place(item));
    removeEmptyFolders(configDir, manifest);
  }
  files.unlinkSync(path.join(dir, pendingName));
}

/** Whether what stands at a path is the item, byte for byte. */
export function isSame(item: ArchivedItem, file: string): boolean {
  const stat = lstat(file);
  if (isArchivedLink(item)) return stat?.isSymbolicLink() === true && fs.readlinkSync(file) === item.target;
  return stat?.isFile() === true && stat.size === item.bytes && digestOf(file) === item.sha256;
}

function lstat(file: string): fs.Stats | undefined {
  return fs.lstatSync(file, { throwIfNoEntry: false });
}

// Only folders of the session's own; one with something else in it stays.
function removeEmptyFolders(configDir: string, { sessionId, items }: ArchiveManifest): void {
  const folders = new Set<string>();
  for (const { path: file } of items) {
    const names = path.posix.dirname(file).split("/");
    const own = names.indexOf(sessionId);
    if (own < 0) continue;
    for (let depth = names.length; depth > own; depth--) folders.add(names.slice(0, depth).join("/"));
  }
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) {
    try {
      fs.rmdirSync(path.join(configDir, folder));
    } catch {
      /* Not empty, or gone: both are as they should be. */
    }
  }
}
