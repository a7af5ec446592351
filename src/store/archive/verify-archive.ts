import fs from "node:fs";
import path from "node:path";
import { codeOf, messageOf } from "../../lib/errors.ts";
import { isArchivedLink } from "./archive-manifest.ts";
import { eachManifest, isPack, listCopies, type ArchivedCopy } from "./archived-copies.ts";
import { damaged } from "./packed-file.ts";
import { digestOfPieces } from "./digest-of.ts";
import { readPacked } from "./read-packed.ts";

/** What is wrong in the archive, or that nothing is. */
export interface VerifiedArchive {
  sessions: number;
  files: number;
  bytes: number;
  problems: ArchiveProblem[];
}

export interface ArchiveProblem {
  /** The pack or folder. */
  path: string;
  /** Of a session whose manifest can be read. */
  sessionId?: string;
  text: string;
}

export interface VerifyOptions {
  /** False looks at what says which sessions there are, and not at their content. */
  content?: boolean | undefined;
  onProgress?: ((progress: { doneBytes: number; totalBytes: number }) => void) | undefined;
}

/**
 * Reads everything that is in the archive and compares it with the checksums that were made when it was packed. Changes
 * nothing. What cannot be read is a problem, and hides nothing of the rest.
 */
export function verifyArchive(
  archiveDir: string,
  { content = true, onProgress }: VerifyOptions = {},
): VerifiedArchive {
  const problems: ArchiveProblem[] = [];
  const told = new Set<string>();
  const onUnreadable = (holder: string, error: Error): void => {
    if (!told.has(error.message)) problems.push({ path: holder, text: error.message });
    told.add(error.message);
  };
  const found = [...eachManifest({ archiveDir, onUnreadable })];
  for (const { holder } of listCopies({ archiveDir }))
    if (isWithoutManifest(holder)) onUnreadable(holder, damaged(holder, "its manifest is missing"));
  const files = found.flatMap(({ copy, manifest }) =>
    manifest.items.flatMap((item) => (isArchivedLink(item) ? [] : [{ copy, manifest, item }])),
  );
  const totalBytes = files.reduce((sum, { item }) => sum + item.bytes, 0);
  let doneBytes = 0;
  for (const { copy, manifest, item } of content ? files : []) {
    const text = whatIsWrong(copy, item);
    if (text !== undefined) problems.push({ path: copy.holder, sessionId: manifest.sessionId, text });
    doneBytes += item.bytes;
    onProgress?.({ doneBytes, totalBytes });
  }
  return { sessions: found.length, files: files.length, bytes: totalBytes, problems };
}

// In an archive of folders, a session that is taken out goes with its folder, so one without a manifest has lost it.
function isWithoutManifest(holder: string): boolean {
  return !isPack(holder) && fs.existsSync(holder) && !fs.existsSync(path.join(holder, "manifest.json"));
}

function whatIsWrong(
  { holder }: ArchivedCopy,
  { path: name, packed, sha256 }: { path: string; packed: string; sha256: string },
): string | undefined {
  try {
    if (digestOfPieces(readPacked(packed)) === sha256) return undefined;
    return `"${name}" does not hold what was archived`;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    // Restored meanwhile, and gone with its pack.
    return fs.existsSync(holder) ? messageOf(error) : undefined;
  }
}
