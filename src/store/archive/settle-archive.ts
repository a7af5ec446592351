import fs from "node:fs";
import path from "node:path";
import { holdfastPaths } from "../../format/paths.ts";
import type { StoreContext } from "../write/session-writer.ts";
import { ArchiveContents, removePack } from "./archive-contents.ts";
import { copiesIn, isPack, pendingFile, readOrTell, removedFile } from "./archived-copies.ts";
import { removeOriginals } from "./remove-originals.ts";

/**
 * Finishes what a process that died left half done; returns what the archive holds then. For whoever has its lease: nobody
 * else is at work in it, so what has a temporary name is a dead process's.
 */
export function settleArchive(context: StoreContext): ArchiveContents {
  const { archiveDir } = holdfastPaths(context.home);
  const names = new Set(fs.readdirSync(archiveDir));
  for (const name of names) {
    const file = path.join(archiveDir, name);
    const [, pack] = /^(.*\.pack\.zst)\.(?:removed|originals-remain)$/s.exec(name) ?? [];
    if (isTemporary(name)) fs.rmSync(file, { recursive: true, force: true });
    else if (pack !== undefined && !names.has(pack)) fs.rmSync(file, { force: true });
    else if (isPack(name) && names.has(removedFile(name)) && isEmpty(file)) removePack(file, context.files);
  }
  const contents = new ArchiveContents(archiveDir, context.files);
  for (const holder of new Set(contents.copies.map((copy) => copy.holder)))
    if (fs.existsSync(pendingFile(holder))) finishRemoval(context, contents, holder);
  return contents;
}

// A pack that is being written, a folder that is being removed, a file that is being unpacked.
function isTemporary(name: string): boolean {
  return name.startsWith(".") && (name.endsWith(".tmp") || isPack(name));
}

function isEmpty(pack: string): boolean {
  return readOrTell(pack, () => copiesIn(pack))?.length === 0;
}

// Sessions that are in use, or cannot be read, are left for the next run; what is in the archive is safe there.
function finishRemoval(context: StoreContext, contents: ArchiveContents, holder: string): void {
  const manifests = contents.copies
    .filter((copy) => copy.holder === holder)
    .map((copy) => readOrTell(holder, () => copy.readManifest()));
  if (manifests.every((manifest) => manifest !== undefined)) removeOriginals(context, holder, manifests);
}
