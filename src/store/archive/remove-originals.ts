import fs from "node:fs";
import path from "node:path";
import { holdfastPaths } from "../../format/paths.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { acquireLease } from "../../lib/lease.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { refuseWhileInUse, type StoreContext } from "../write/session-writer.ts";
import { leasePath } from "../write/transcript-writer.ts";
import { isAboutOneSession } from "./about-one-session.ts";
import { isArchivedLink, type ArchivedItem, type ArchiveManifest } from "./archive-manifest.ts";
import { pendingFile } from "./archived-copies.ts";
import { digestOf } from "./digest-of.ts";

/**
 * Removes the originals of what a pack or folder holds, each file only if it still is what was archived. Returns why some
 * are left: somebody has the session open, or they may not be removed. The same call again finishes what was cut off, and
 * tries those again.
 */
export function removeOriginals(
  context: StoreContext,
  holder: string,
  manifests: readonly ArchiveManifest[],
): Map<ArchiveManifest, Error> {
  const { files = nodeFileOps } = context;
  const left = new Map<ArchiveManifest, Error>();
  for (const manifest of manifests) {
    if (!manifest.items.some((item) => lstat(path.join(context.configDir, item.path)))) continue;
    try {
      removeUnderLease(context, manifest);
    } catch (error) {
      if (!isAboutOneSession(error)) throw error;
      left.set(manifest, error as Error);
    }
  }
  if (left.size === 0) files.unlinkSync(pendingFile(holder));
  return left;
}

function removeUnderLease(context: StoreContext, manifest: ArchiveManifest): void {
  const { configDir, home, files = nodeFileOps } = context;
  const { sessionId, items } = manifest;
  refuseWhileInUse(configDir, sessionId);
  const leasesDir = ensurePrivateDir(holdfastPaths(home).leasesDir, files);
  const lease = acquireLease(leasePath(leasesDir, path.join(configDir, items[0]!.path)), {
    subject: sessionId,
    kind: "session",
    files,
  });
  try {
    removeItems(configDir, manifest, files);
  } finally {
    lease.release();
  }
}

// The transcript goes first: as long as it is there nothing else was touched, and a session that went on since keeps
// everything.
function removeItems(configDir: string, manifest: ArchiveManifest, files: FileOps): void {
  const [transcript] = manifest.items;
  for (const item of manifest.items) {
    const file = path.join(configDir, item.path);
    if (isSame(item, file)) files.unlinkSync(file);
    else if (item === transcript && lstat(file)) return;
  }
  removeEmptyFolders(configDir, manifest);
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
