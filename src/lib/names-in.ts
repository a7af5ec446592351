import fs from "node:fs";
import { codeOf } from "./errors.ts";

/** Told of a folder that may not be read. */
export type OnUnreadable = (dir: string, error: Error) => void;

/**
 * The names in a folder, in the order of the file system. A folder that is not there, or is no folder, has none. Neither
 * has one that belongs to somebody else: `onUnreadable` is told, and what lies beside it is not hidden by an error.
 */
export function namesIn(dir: string, onUnreadable?: OnUnreadable): string[] {
  try {
    return fs.readdirSync(dir);
  } catch (error) {
    if (isDenied(error)) onUnreadable?.(dir, error as Error);
    else if (codeOf(error) !== "ENOENT" && codeOf(error) !== "ENOTDIR") throw error;
    return [];
  }
}

/** The folders in a folder of ours. Links are none: what is ours is there itself. */
export function foldersIn(dir: string): string[] {
  if (!fs.lstatSync(dir, { throwIfNoEntry: false })?.isDirectory()) return [];
  try {
    const all = fs.readdirSync(dir, { withFileTypes: true });
    return all.flatMap((each) => (each.isDirectory() ? [each.name] : []));
  } catch (error) {
    if (isDenied(error) || codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** The same for a folder with many thousand names: one by one and unsorted, which takes half the time and no memory. */
export function* eachName(dir: string): Generator<string> {
  let opened: fs.Dir;
  try {
    opened = fs.opendirSync(dir, { bufferSize: 256 });
  } catch (error) {
    if (isDenied(error) || codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return;
    throw error;
  }
  try {
    for (let entry = opened.readSync(); entry; entry = opened.readSync()) yield entry.name;
  } finally {
    opened.closeSync();
  }
}

export function isDenied(error: unknown): boolean {
  return codeOf(error) === "EACCES" || codeOf(error) === "EPERM";
}
