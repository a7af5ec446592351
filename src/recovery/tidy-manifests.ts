import fs from "node:fs";
import path from "node:path";
import { zstdCompressSync } from "node:zlib";
import { manifestAgeMsMax, manifestPlainAgeMsMax, manifestTotalBytesMax } from "./limits.ts";
import { holdfastPaths, isSafeName } from "../format/paths.ts";
import { createFileAtomic } from "../lib/atomic-write.ts";
import { codeOf } from "../lib/errors.ts";
import { foldersIn, namesIn } from "../lib/names-in.ts";
import { tidyClientEndings } from "./client-ending.ts";
import { rotatedName } from "./rotate-manifest.ts";

interface OldManifest {
  file: string;
  size: number;
  writtenAtMs: number;
}

export interface TidiedManifests {
  compressed: string[];
  removed: string[];
}

/**
 * Compresses manifests that nobody writes any more (past days, and what was put aside) and removes the oldest of those
 * beyond the limits. `zstdcat` reads them. A crash in between leaves both forms; the next call finishes it. A project's
 * manifest that has become too old is only put aside: the next call removes it, unless a launch has written to it just then.
 */
export function tidyManifests(home: string, { now }: { now: Date }): TidiedManifests {
  const { offersDir } = holdfastPaths(home);
  const done: TidiedManifests = { compressed: [], removed: [] };
  for (const { file, writtenAtMs } of oldManifests(home, /\.jsonl$/)) {
    if (now.getTime() - writtenAtMs < manifestPlainAgeMsMax) continue;
    compress(file, writtenAtMs);
    done.compressed.push(file);
  }
  let kept = 0;
  const newestFirst = oldManifests(home, /\.jsonl\.zst$/).sort((a, b) => b.writtenAtMs - a.writtenAtMs);
  for (const { file, size, writtenAtMs } of newestFirst) {
    kept += size;
    if (now.getTime() - writtenAtMs <= manifestAgeMsMax && kept <= manifestTotalBytesMax) continue;
    fs.rmSync(file, { force: true });
    done.removed.push(file);
  }
  for (const { file, writtenAtMs } of projectManifests(home))
    if (now.getTime() - writtenAtMs > manifestAgeMsMax) fs.renameSync(file, rotatedName(file, now));
  tidyClientEndings(home, { now });
  // Offers of endings that nobody came back for; those of tasks go with the task.
  for (const name of namesIn(offersDir))
    for (const { file, writtenAtMs } of manifestAt(path.join(offersDir, name)))
      if (now.getTime() - writtenAtMs > manifestAgeMsMax) fs.rmSync(file, { force: true });
  return done;
}

// Keeps its time: age is counted from the last line, not from the compression.
function compress(file: string, writtenAtMs: number): void {
  try {
    createFileAtomic(`${file}.zst`, zstdCompressSync(fs.readFileSync(file)));
    fs.utimesSync(`${file}.zst`, writtenAtMs / 1000, writtenAtMs / 1000);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  fs.rmSync(file, { force: true });
}

// Of days, those that are past by their age.
function oldManifests(home: string, ending: RegExp): OldManifest[] {
  const { manifestsDir } = holdfastPaths(home);
  return [manifestsDir, ...projectDirs(home)].flatMap((dir) =>
    namesIn(dir)
      .filter((name) => /^background[.-]/.test(name) && ending.test(name) && name !== "background.jsonl")
      .flatMap((name) => manifestAt(path.join(dir, name))),
  );
}

/** The ones that projects write to. */
function projectManifests(home: string): OldManifest[] {
  return projectDirs(home).flatMap((dir) => manifestAt(path.join(dir, "background.jsonl")));
}

function projectDirs(home: string): string[] {
  const paths = holdfastPaths(home);
  return foldersIn(paths.projectsDir)
    .filter(isSafeName)
    .map((key) => paths.projectDir(key));
}

function manifestAt(file: string): OldManifest[] {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  return stat?.isFile() ? [{ file, size: stat.size, writtenAtMs: stat.mtimeMs }] : [];
}
