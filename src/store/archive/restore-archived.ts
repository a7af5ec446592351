import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { writeFully } from "../../lib/atomic-write.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { isThere } from "../../lib/private-dir.ts";
import { tempName } from "../../lib/temp-name.ts";
import { storeError } from "../errors.ts";
import type { SessionRef } from "../list/find-session.ts";
import { moveTo } from "../list/session-files.ts";
import type { StoreContext } from "../write/session-writer.ts";
import {
  isArchivedLink,
  type ArchivedFile,
  type ArchivedItem,
  type ArchiveManifest,
} from "./archive-manifest.ts";
import { parsePackedAddress } from "./packed-address.ts";
import { readPacked } from "./read-packed.ts";
import { isSame } from "./remove-originals.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;

export interface RestoreOptions {
  onProgress?: ((progress: { doneBytes: number; totalBytes: number }) => void) | undefined;
}

/**
 * Puts an archived session back, byte for byte. Never replaces anything: what is there with other bytes throws
 * `target_exists`. The transcript comes last, so the session is there again only when all of it is. Files get the present
 * time: with their old one the client's next sweep would delete them.
 */
export function restoreArchived(
  { configDir, files = nodeFileOps }: StoreContext,
  { sessionId, project: projectKey, items }: ArchiveManifest,
  { onProgress }: RestoreOptions = {},
): SessionRef {
  const place = (item: ArchivedItem): string => path.join(configDir, item.path);
  const missing = items.filter((item) => !isSame(item, place(item)));
  const taken = missing.find((item) => isThere(place(item)));
  if (taken) {
    throw storeError(
      "target_exists",
      `Cannot restore session "${sessionId}": "${place(taken)}" exists; move it away`,
      { fields: { path: place(taken) } },
    );
  }
  const totalBytes = missing.reduce((sum, item) => sum + (isArchivedLink(item) ? 0 : item.bytes), 0);
  let doneBytes = 0;
  const onBytes = (bytes: number): void => onProgress?.({ doneBytes: (doneBytes += bytes), totalBytes });
  for (const item of missing.toReversed()) {
    if (isArchivedLink(item)) linkTo(place(item), item.target, files);
    else unpackTo(place(item), item, { files, onBytes });
  }
  return { sessionId, projectKey, path: place(items[0]!) };
}

function linkTo(file: string, target: string, files: FileOps): void {
  files.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  fs.symlinkSync(target, file);
}

// Unpacked in the archive, where the next process removes what a killed one left; then moved without replacing.
function unpackTo(
  to: string,
  { packed, sha256, mode }: ArchivedFile,
  { files, onBytes }: { files: FileOps; onBytes: (bytes: number) => void },
): void {
  const temp = tempName(parsePackedAddress(packed).file);
  const fd = files.openSync(temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    const hash = createHash("sha256");
    for (const piece of readPacked(packed)) {
      hash.update(piece);
      writeFully(fd, piece, files);
      onBytes(piece.length);
    }
    if (hash.digest("hex") !== sha256)
      throw storeError(
        "archive_damaged",
        `Cannot restore "${to}": "${packed}" does not hold what was archived`,
        { fields: { path: packed } },
      );
    fs.fchmodSync(fd, mode & 0o777);
    files.fsyncSync(fd);
  } finally {
    files.closeSync(fd);
  }
  moveTo(temp, to, files);
}
