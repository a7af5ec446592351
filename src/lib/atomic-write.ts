import fs from "node:fs";
import path from "node:path";
import { nodeFileOps, type FileOps } from "./file-ops.ts";
import { syncDir } from "./private-dir.ts";
import { tempName } from "./temp-name.ts";

export interface AtomicWriteOptions {
  files?: FileOps;
  /** Permission bits of the new file; private unless said otherwise. */
  mode?: number;
  /** False leaves out the syncs: for what need not survive a loss of power. */
  isDurable?: boolean;
}

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;

/** Replaces a file whole: afterwards it holds the old bytes or the new ones, never a mixture. */
export function writeFileAtomic(
  file: string,
  data: string | Uint8Array,
  options: AtomicWriteOptions = {},
): void {
  const { files = nodeFileOps, isDurable = true } = options;
  const temp = writeTemp(file, data, options);
  try {
    files.renameSync(temp, file);
  } catch (error) {
    removeQuietly(temp, files);
    throw error;
  }
  if (isDurable) syncDir(path.dirname(file), files);
}

/**
 * Creates a file whole, or throws EEXIST and leaves the one that is there: of many callers exactly one
 * succeeds, and nobody ever reads half of it.
 */
export function createFileAtomic(
  file: string,
  data: string | Uint8Array,
  options: AtomicWriteOptions = {},
): void {
  const { files = nodeFileOps, isDurable = true } = options;
  const temp = writeTemp(file, data, options);
  try {
    files.linkSync(temp, file);
  } finally {
    removeQuietly(temp, files);
  }
  if (isDurable) syncDir(path.dirname(file), files);
}

/** Writes all bytes, going on after a short write; a full disk throws. */
export function writeFully(fd: number, data: Uint8Array, files: FileOps = nodeFileOps): void {
  let done = 0;
  while (done < data.byteLength) done += files.writeSync(fd, data, done, data.byteLength - done);
}

function writeTemp(file: string, data: string | Uint8Array, options: AtomicWriteOptions): string {
  const { files = nodeFileOps, mode = 0o600, isDurable = true } = options;
  const temp = tempName(file);
  const fd = files.openSync(temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    writeFully(fd, typeof data === "string" ? Buffer.from(data) : data, files);
    if (isDurable) files.fdatasyncSync(fd);
  } catch (error) {
    removeQuietly(temp, files);
    throw error;
  } finally {
    files.closeSync(fd);
  }
  return temp;
}

// A temporary file that stays behind is litter, not damage; the first error is the one to report.
function removeQuietly(temp: string, files: FileOps): void {
  try {
    files.unlinkSync(temp);
  } catch {
    /* see above */
  }
}
