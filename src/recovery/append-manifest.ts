import fs from "node:fs";
import path from "node:path";
import { manifestFileBytesMax } from "./limits.ts";
import { holdfastPaths, projectKey } from "../format/paths.ts";
import { codeOf } from "../lib/errors.ts";
import { ensurePrivateDir } from "../lib/private-dir.ts";
import type { ManifestLine } from "./manifest-line.ts";

export interface ManifestPlace {
  home: string;
  /** The folders of the projects that it concerns: where its session started and, of a task, where it runs. */
  projectDirs: readonly string[];
  now: Date;
}

/**
 * Appends lines to the projects' manifests and to the global one of the day, whole, among any number of writers. Tries
 * all before it throws what went wrong with one.
 */
export async function appendManifest(place: ManifestPlace, lines: readonly ManifestLine[]): Promise<void> {
  if (lines.length === 0) return;
  const paths = holdfastPaths(place.home);
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const day = place.now.toISOString().slice(0, 10);
  const failures: unknown[] = [];
  const keys = new Set(place.projectDirs.map((dir) => projectKey(dir)));
  const files = [...keys].map((key) => paths.projectManifestPath(key));
  for (const file of [...files, paths.manifestPath(day)]) {
    try {
      if (appendWhole(file, text) > manifestFileBytesMax) {
        const { rotateManifest } = await import("./rotate-manifest.ts");
        rotateManifest(file, place);
      }
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = fs.constants;

/** Returns the size of the file afterwards. */
function appendWhole(file: string, text: string): number {
  const fd = openManifest(file);
  try {
    const { size } = fs.fstatSync(fd);
    const bytes = Buffer.from(endsTorn(fd, size) ? `\n${text}` : text);
    const written = fs.writeSync(fd, bytes);
    if (written < bytes.length)
      throw new Error(`Cannot append to manifest "${file}": ${written} of ${bytes.length} bytes fit`);
    return size + written;
  } finally {
    fs.closeSync(fd);
  }
}

const seenFolders = new Set<string>();

// Its folder is looked at once, and again when it is gone: every launch comes by here.
function openManifest(file: string): number {
  const dir = path.dirname(file);
  if (!seenFolders.has(dir)) seenFolders.add(ensurePrivateDir(dir, undefined, levelsOf(dir)));
  try {
    return fs.openSync(file, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    ensurePrivateDir(dir, undefined, levelsOf(dir));
    return fs.openSync(file, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  }
}

// Up to the home: that of a day is in a folder of it, that of a project two folders further down.
function levelsOf(dir: string): number {
  return path.basename(path.dirname(dir)) === "projects" ? 3 : 2;
}

// What a full disk cut short must not take the next line with it.
function endsTorn(fd: number, size: number): boolean {
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  return fs.readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}
