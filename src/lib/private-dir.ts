import fs from "node:fs";
import path from "node:path";
import { HoldfastError, codeOf } from "./errors.ts";
import { nodeFileOps, type FileOps } from "./file-ops.ts";

/**
 * Makes a folder that only its owner can enter, with its parents, and returns it. Refuses one that is a link, somebody
 * else's, or open to everybody's writing: what is written there may hold secrets, and a planted link would carry it away.
 * `levels` says how many folders are looked at so: this one, the one above it, and so on.
 */
export function ensurePrivateDir(dir: string, files: FileOps = nodeFileOps, levels = 1): string {
  if (levels > 1) ensurePrivateDir(path.dirname(dir), files, levels - 1);
  let stat = fs.lstatSync(dir, { throwIfNoEntry: false });
  if (!stat) {
    makeDirs(dir, files);
    stat = fs.lstatSync(dir);
  }
  if (!stat.isDirectory()) {
    throw new HoldfastError(`Cannot use folder "${dir}": it is a link or not a folder; remove it`, {
      code: "unsafe_path",
      fields: { path: dir },
    });
  }
  const uid = process.getuid?.();
  if (uid !== undefined && stat.uid !== uid && uid !== 0) {
    throw new HoldfastError(`Cannot use folder "${dir}": it belongs to user ${stat.uid}`, {
      code: "unsafe_path",
      fields: { path: dir, owner: stat.uid },
    });
  }
  if (isOpenToAll(stat)) {
    const mode = (stat.mode & 0o777).toString(8);
    throw new HoldfastError(
      `Cannot use folder "${dir}": everybody may write to it (mode ${mode}); close it with chmod 700`,
      { code: "unsafe_path", fields: { path: dir, mode } },
    );
  }
  return dir;
}

/** Whether everybody on this machine may put something there. */
export function isOpenToAll({ mode }: fs.Stats): boolean {
  return (mode & 0o002) !== 0;
}

// One by one: where a folder can never be made (/proc), Node's own recursive mkdir does not end, seen in 22 and 24.
function makeDirs(dir: string, files: FileOps): void {
  const missing: string[] = [];
  for (let each = dir; !isThere(each); each = path.dirname(each)) missing.unshift(each);
  for (const each of missing) {
    try {
      files.mkdirSync(each, { mode: 0o700 });
    } catch (error) {
      // Another process made it in this moment.
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

/** Whether a name is there, also that of a link which leads nowhere. */
export function isThere(file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** Makes the names in a folder durable: a created, renamed or removed file is only safe after this. */
export function syncDir(dir: string, files: FileOps = nodeFileOps): void {
  let fd: number;
  try {
    fd = files.openSync(dir, fs.constants.O_RDONLY);
  } catch (error) {
    // Some systems cannot open a folder; they order their metadata themselves.
    if (codeOf(error) === "EISDIR" || codeOf(error) === "EPERM") return;
    throw error;
  }
  try {
    files.fsyncSync(fd);
  } finally {
    files.closeSync(fd);
  }
}

/** `child` below `dir`, with a proof that it does not lead out of it. */
export function childPath(dir: string, child: string): string {
  const isPlain = path.basename(child) === child && !["", ".", ".."].includes(child) && !child.includes("\0");
  if (isPlain) return path.join(dir, child);
  throw new HoldfastError(`Cannot use name "${child}": it is not a plain file name`, {
    code: "invalid_name",
  });
}
