import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { writeFully } from "../../lib/atomic-write.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { tempName } from "../../lib/temp-name.ts";
import { storeError } from "../errors.ts";
import type { SessionRef } from "../find-session.ts";
import { moveTo } from "../session-files.ts";
import type { StoreContext } from "../session-writer.ts";
import {
  isArchivedLink,
  packedPath,
  readArchiveManifest,
  type ArchivedFile,
  type ArchivedItem,
} from "./archive-manifest.ts";
import { readPacked } from "./read-packed.ts";
import { isSame } from "./remove-originals.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;

/**
 * Puts an archived session back, byte for byte, and takes it out of the archive. Never replaces anything: what is there
 * with other bytes throws `target_exists`. The transcript comes last, so the session is there again only when all of it
 * is. Files get the present time: with their old one the client's next sweep would delete them.
 */
export function restoreArchived({ configDir, files = nodeFileOps }: StoreContext, dir: string): SessionRef {
  const manifest = readArchiveManifest(dir);
  if (!manifest)
    throw storeError("archive_damaged", `Cannot restore "${dir}": its manifest cannot be read`, {
      fields: { path: dir },
    });
  const { sessionId, project: projectKey, items } = manifest;
  const place = (item: ArchivedItem): string => path.join(configDir, item.path);
  const missing = items.filter((item) => !isSame(item, place(item)));
  const taken = missing.find((item) => fs.lstatSync(place(item), { throwIfNoEntry: false }) !== undefined);
  if (taken) {
    throw storeError(
      "target_exists",
      `Cannot restore session "${sessionId}": "${place(taken)}" exists; move it away`,
      { fields: { path: place(taken) } },
    );
  }
  for (const item of missing.toReversed()) {
    if (isArchivedLink(item)) linkTo(place(item), item.target, files);
    else unpackTo({ from: packedPath(dir, item), to: place(item), item, files });
  }
  removeFolder(dir, files);
  return { sessionId, projectKey, path: place(items[0]!) };
}

interface Unpack {
  from: string;
  to: string;
  item: ArchivedFile;
  files: FileOps;
}

function linkTo(file: string, target: string, files: FileOps): void {
  files.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  fs.symlinkSync(target, file);
}

// Unpacked in the archive, so that what a killed process leaves goes with its folder; then moved without replacing.
function unpackTo({ from, to, item, files }: Unpack): void {
  const temp = tempName(from);
  const fd = files.openSync(temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    const hash = createHash("sha256");
    for (const piece of readPacked(from)) {
      hash.update(piece);
      writeFully(fd, piece, files);
    }
    if (hash.digest("hex") !== item.sha256)
      throw storeError(
        "archive_damaged",
        `Cannot restore "${to}": "${from}" does not hold what was archived`,
        {
          fields: { path: from },
        },
      );
    fs.fchmodSync(fd, item.mode & 0o777);
    files.fsyncSync(fd);
  } finally {
    files.closeSync(fd);
  }
  moveTo(temp, to, files);
}

/** Takes a folder out of the archive: under a temporary name first, so that half of it is never taken for whole. */
export function removeFolder(dir: string, files: FileOps = nodeFileOps): void {
  const doomed = path.join(path.dirname(dir), `.${path.basename(dir)}.tmp`);
  files.renameSync(dir, doomed);
  fs.rmSync(doomed, { recursive: true, force: true });
}
