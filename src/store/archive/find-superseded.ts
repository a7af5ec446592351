import { isArchivedLink, type ArchiveManifest } from "./archive-manifest.ts";
import { archiveStem, readOrTell, type ArchivedCopy } from "./archived-copies.ts";
import { digestOfPieces } from "./digest-of.ts";
import { readPacked } from "./read-packed.ts";

/**
 * Tells which of these copies a new one replaces: those of the same session of which it holds every byte, because each
 * file of them is the same there, or the beginning of it. A copy with anything else in it stays.
 */
export function findSuperseded(
  copies: readonly ArchivedCopy[],
): (manifest: ArchiveManifest) => ArchivedCopy[] {
  const byStem = Map.groupBy(copies, ({ stem }) => stem);
  return (manifest) =>
    (byStem.get(archiveStem(manifest.sessionId)) ?? []).filter((copy) => {
      // Of a copy that is damaged nobody can say what it holds.
      const old = readOrTell(copy.holder, () => copy.readManifest());
      if (old?.sessionId !== manifest.sessionId || old.project !== manifest.project) return false;
      return isHeldBy(old, manifest);
    });
}

function isHeldBy(old: ArchiveManifest, manifest: ArchiveManifest): boolean {
  const items = new Map(manifest.items.map((item) => [item.path, item]));
  return old.items.every((was) => {
    const now = items.get(was.path);
    if (now === undefined) return false;
    if (isArchivedLink(now) || isArchivedLink(was))
      return isArchivedLink(now) && isArchivedLink(was) && now.target === was.target;
    if (now.bytes <= was.bytes) return now.sha256 === was.sha256;
    return digestOfPieces(readPacked(now.packed, { bytes: was.bytes })) === was.sha256;
  });
}
