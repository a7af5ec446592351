import fs from "node:fs";
import path from "node:path";
import { keptItemAgeMsMax, keptItemsBytesMax } from "./limits.ts";
import { holdfastPaths } from "../format/paths.ts";
import { namesIn } from "../lib/names-in.ts";
import type { Clock } from "../lib/clock.ts";

/** Where Holdfast keeps removed and replaced files, so that people can get them back. */
export type KeptArea = "trash" | "undo" | "repairs";

export interface PrunedItem {
  area: KeptArea;
  path: string;
  bytes: number;
  keptSince: string;
  reason: "age" | "quota";
}

export interface PruneHomeOptions {
  olderThanMs?: number | undefined;
  totalBytesMax?: number | undefined;
  dryRun?: boolean | undefined;
  clock: Clock;
}

/**
 * Removes what has been kept for long enough from the trash, the undo copies and the backups of repairs: what is too
 * old, then the oldest until the rest fits. The archive is never pruned: it is where things are to stay.
 */
export function pruneHome(home: string, options: PruneHomeOptions): PrunedItem[] {
  const {
    olderThanMs = keptItemAgeMsMax,
    totalBytesMax = keptItemsBytesMax,
    dryRun = false,
    clock,
  } = options;
  const items = keptItems(home).sort((a, b) => a.atMs - b.atMs);
  const oldest = clock.now().getTime() - olderThanMs;
  let total = items.reduce((sum, { bytes }) => sum + bytes, 0);
  const pruned: PrunedItem[] = [];
  for (const { area, path: file, bytes, atMs } of items) {
    const isOld = atMs < oldest;
    if (!isOld && total <= totalBytesMax) continue;
    total -= bytes;
    const keptSince = new Date(atMs).toISOString();
    pruned.push({ area, path: file, bytes, keptSince, reason: isOld ? "age" : "quota" });
    if (!dryRun) fs.rmSync(file, { recursive: true, force: true });
  }
  return pruned;
}

interface KeptItem {
  area: KeptArea;
  path: string;
  bytes: number;
  atMs: number;
}

function keptItems(home: string): KeptItem[] {
  const { trashDir, undoDir, repairsDir } = holdfastPaths(home);
  const areas: [KeptArea, string][] = [
    ["trash", trashDir],
    ["undo", undoDir],
    ["repairs", repairsDir],
  ];
  return areas.flatMap(([area, dir]) =>
    namesIn(dir).flatMap((name): KeptItem[] => {
      const file = path.join(dir, name);
      const stat = fs.lstatSync(file, { throwIfNoEntry: false });
      return stat ? [{ area, path: file, bytes: sizeOf(file), atMs: stat.mtimeMs }] : [];
    }),
  );
}

// What it takes on the disk; a backup that is a second name of a file takes nothing of its own, but counts until then.
function sizeOf(file: string): number {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return (stat?.blocks ?? 0) * 512;
  return namesIn(file).reduce((sum, name) => sum + sizeOf(path.join(file, name)), 0);
}
