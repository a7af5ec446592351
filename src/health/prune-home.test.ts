import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../test/support/index.ts";
import { holdfastPaths } from "../format/paths.ts";
import { systemClock } from "../lib/clock.ts";
import { pruneHome } from "./prune-home.ts";

const DAY_MS = 86_400_000;

function homeWith(items: Record<string, { ageDays: number; bytes?: number }>): string {
  const home = tempDir();
  for (const [name, { ageDays, bytes = 10 }] of Object.entries(items)) {
    const dir = path.join(home, name);
    fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(path.join(dir, "file"), Buffer.alloc(bytes, "x"));
    const at = new Date(Date.now() - ageDays * DAY_MS);
    fs.utimesSync(dir, at, at);
  }
  return home;
}

test("pruneHome() removes what is too old from trash, undo and repairs, and never from the archive", () => {
  const home = homeWith({
    "trash/old": { ageDays: 40 },
    "trash/new": { ageDays: 4 },
    "undo/old": { ageDays: 31 },
    "repairs/old": { ageDays: 50 },
    "archive/old.abc-12345678": { ageDays: 400 },
  });
  const planned = pruneHome(home, { clock: systemClock, dryRun: true });
  expect(planned.map(({ area, reason }) => `${area} ${reason}`)).toEqual([
    "repairs age",
    "trash age",
    "undo age",
  ]);
  expect(fs.existsSync(path.join(home, "trash/old"))).toBe(true);
  expect(pruneHome(home, { clock: systemClock })).toEqual(planned);
  const { trashDir, undoDir, repairsDir, archiveDir } = holdfastPaths(home);
  expect([trashDir, undoDir, repairsDir, archiveDir].map((dir) => fs.readdirSync(dir))).toEqual([
    ["new"],
    [],
    [],
    ["old.abc-12345678"],
  ]);
});

test("pruneHome() removes the oldest until the rest fits", () => {
  const home = homeWith({
    "trash/first": { ageDays: 3, bytes: 100_000 },
    "repairs/second": { ageDays: 2, bytes: 100_000 },
    "undo/third": { ageDays: 1, bytes: 100_000 },
  });
  const pruned = pruneHome(home, { clock: systemClock, totalBytesMax: 150_000 });
  expect(pruned.map(({ path: file, reason }) => `${path.basename(file)} ${reason}`)).toEqual([
    "first quota",
    "second quota",
  ]);
  expect(pruneHome(home, { clock: systemClock, totalBytesMax: 150_000 })).toEqual([]);
});
