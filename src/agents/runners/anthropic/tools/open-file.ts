import { constants } from "node:fs";
import fs, { type FileHandle } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../../../../lib/errors.ts";
import { hasProc } from "../../../../lib/process-table.ts";

/** Where an open file really is: no link can change that any more. Throws when it cannot be said. */
export async function pathOfOpen(handle: FileHandle, file: string): Promise<string> {
  if (hasProc()) return fs.readlink(`/proc/self/fd/${handle.fd}`);
  const real = await fs.realpath(file);
  const [there, open] = await Promise.all([fs.stat(real), handle.stat()]);
  if (there.ino !== open.ino || there.dev !== open.dev) throw movedError(file);
  return real;
}

/**
 * Opens a file that was permitted under its real path, and no other: whoever has put a link in its way meanwhile makes this
 * throw. A pipe does not hold it up.
 */
export async function openPermitted(file: string, flags: number): Promise<FileHandle> {
  const handle = await fs
    .open(file, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    .catch((error: unknown) => {
      throw codeOf(error) === "ELOOP" ? movedError(file) : error;
    });
  try {
    if ((await pathOfOpen(handle, file)) !== file) throw movedError(file);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Gives `use` a path of the folder that holds a permitted file, which leads there whatever becomes of the folders above it;
 * on systems without /proc it is the folder's real path. Makes the folders that are missing.
 */
export async function inPermittedFolder<T>(file: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = path.dirname(file);
  const handle = await openFolder(folder);
  try {
    return await use(pathInside(handle, folder));
  } finally {
    await handle.close();
  }
}

async function openFolder(folder: string): Promise<FileHandle> {
  try {
    return await openPermitted(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  await inPermittedFolder(folder, async (above) => {
    await fs.mkdir(path.join(above, path.basename(folder))).catch((error: unknown) => {
      if (codeOf(error) !== "EEXIST") throw error;
    });
  });
  return openPermitted(folder, constants.O_RDONLY | constants.O_DIRECTORY);
}

function pathInside(handle: FileHandle, folder: string): string {
  return hasProc() ? `/proc/self/fd/${handle.fd}` : folder;
}

function movedError(file: string): Error {
  return new Error(`"${file}" leads elsewhere now than when it was permitted; try again`);
}
