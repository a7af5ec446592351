import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { holdfastPaths } from "../../format/paths.ts";
import { syncDir } from "../../lib/private-dir.ts";
import type { SessionRef } from "../list/find-session.ts";
import {
  isArchivedLink,
  parseManifest,
  type ArchiveManifest,
  type ArchivedItem,
  type StoredManifest,
} from "./archive-manifest.ts";
import { isAboutOneSession } from "./about-one-session.ts";
import { copiesIn, pendingFile, type ArchivedCopy } from "./archived-copies.ts";
import { digestOfPieces } from "./digest-of.ts";
import { packSession, type PackRun, type PackedSession } from "./pack-session.ts";
import { PackWriter } from "./pack-writer.ts";
import { packSuffix, packedAddress } from "./packed-address.ts";
import { damaged } from "./packed-file.ts";
import { readPacked } from "./read-packed.ts";

const { O_WRONLY, O_CREAT, O_EXCL } = fs.constants;

export interface WrittenSession {
  session: SessionRef;
  copy: ArchivedCopy;
  manifest: ArchiveManifest;
}

/**
 * Packs sessions, from the last one that waits, until the pack is full; then reads all of it back, and gives it its name.
 * So a pack with a name is whole, and on the disk. Sessions that cannot be packed are told and left out.
 */
export async function writePack(run: PackRun, waiting: SessionRef[]): Promise<WrittenSession[]> {
  const writer = new PackWriter(holdfastPaths(run.home).archiveDir, run.files);
  try {
    const packed: PackedSession[] = [];
    for (let session = waiting.at(-1); session; session = waiting.at(-1)) {
      try {
        const next = await packSession(run, writer, session);
        if (!next) break;
        packed.push(next);
      } catch (error) {
        if (!isAboutOneSession(error)) throw error;
        run.onSkip(session, error as Error);
      }
      waiting.pop();
    }
    if (packed.length === 0) return [];
    verify(writer.path, packed, await writer.finish(packed));
    const copies = copiesIn(giveName(run, writer.path, packed));
    return copies.map((copy, number) => ({
      session: packed[number]!.session,
      copy,
      manifest: copy.readManifest(),
    }));
  } finally {
    writer.discard();
  }
}

// As any reader would: by its directory, its manifests, and the place of each file.
function verify(file: string, packed: readonly PackedSession[], written: readonly StoredManifest[]): void {
  const manifests = copiesIn(file).map((copy) => copy.readManifest());
  const expected = written.map((each) =>
    parseManifest(JSON.stringify(each), (item) => packedAddress(file, item)),
  );
  const isWhole =
    isDeepStrictEqual(manifests, expected) &&
    manifests.every(({ items }, number) => items.every((item) => isHeld(item, packed[number]!.onBytes)));
  if (!isWhole) throw damaged(file, "what was read back differs from what was written");
}

function isHeld(item: ArchivedItem, onBytes: (bytes: number) => void): boolean {
  return isArchivedLink(item) || digestOfPieces(readPacked(item.packed), onBytes) === item.sha256;
}

function giveName(
  { home, files, keepsOriginals }: PackRun,
  unnamed: string,
  packed: readonly PackedSession[],
): string {
  const { archiveDir } = holdfastPaths(home);
  const newestMs = packed.reduce((newest, { modifiedMs }) => Math.max(newest, modifiedMs), 0);
  const name = `${newestMs.toString(36)}-${randomBytes(8).toString("hex")}${packSuffix}`;
  const pack = path.join(archiveDir, name);
  if (!keepsOriginals) files.closeSync(files.openSync(pendingFile(pack), O_WRONLY | O_CREAT | O_EXCL, 0o600));
  files.renameSync(unnamed, pack);
  syncDir(archiveDir, files);
  return pack;
}
